// Senders that make a server wait. The server must drop all of them within its limits.
import { exchange } from "../raw-exchange.ts";
import { longestListenMs } from "../served.ts";
import { expectThat } from "./attack.ts";

/** Concurrent senders of each kind. */
const senders = 6;
const pauseMs = 100;

export function* slowly(start: Uint8Array | string, piece: string, times: number): Generator<Uint8Array | string> {
  yield start;
  for (let at = 0; at < times; at += 1) yield piece;
}

/** Throws if the server does not close one of several connections that send these pieces. */
export async function expectDropped(url: string, pieces: () => Iterable<Uint8Array | string>): Promise<void> {
  const heard = await Promise.all(
    Array.from({ length: senders }, () =>
      exchange({ url, pieces: pieces(), pauseMs, listenMs: longestListenMs, isComplete: () => false }),
    ),
  );
  const open = heard.filter(({ isClosed }) => !isClosed).length;
  expectThat(open === 0, `${open} of ${heard.length} slow senders are still connected`);
}
