// Senders that make a server wait: it drops them, all of them, within its limits.
import { exchange } from "../raw-exchange.ts";
import { expectThat } from "./attack.ts";

/** As many as there are at once of each kind. */
const senders = 6;
/** Far longer than any limit: what is still open by then is open for good. */
const listenMs = 8_000;
const pauseMs = 100;

/** A start, and then a piece now and then. */
export function* slowly(start: Uint8Array | string, piece: string, times: number): Generator<Uint8Array | string> {
  yield start;
  for (let at = 0; at < times; at += 1) yield piece;
}

/** Throws when one of some connections on which these pieces are sent is not closed by the server. */
export async function expectDropped(url: string, pieces: () => Iterable<Uint8Array | string>): Promise<void> {
  const heard = await Promise.all(
    Array.from({ length: senders }, () =>
      exchange({ url, pieces: pieces(), pauseMs, listenMs, isComplete: () => false }),
    ),
  );
  const open = heard.filter(({ isClosed }) => !isClosed).length;
  expectThat(open === 0, `${open} of ${heard.length} slow senders are still connected`);
}
