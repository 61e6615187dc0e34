// Callers that request many answers and read none: the server must drop the answers and the connection.
import { setTimeout as sleep } from "node:timers/promises";
import { openSocket } from "../raw-exchange.ts";
import { smallLimits } from "../served.ts";
import { expectThat } from "./attack.ts";

/** Node.js checks a connection twice before it closes it. Twice that, because a busy server takes long to answer at all. */
const unreadMs = 2 * (2 * smallLimits.maxUnreadMs) + smallLimits.maxHeadersMs;
const patienceMs = 3_000;

/** Throws if the server keeps the connection, or all answers, of a caller that has not read for a long time. */
export async function expectNotKept(url: string, requests: Uint8Array, answersBytes: number): Promise<void> {
  const socket = openSocket(url).pause();
  const closed = new Promise<boolean>((resolve) => {
    socket.once("end", () => resolve(true)).once("close", () => resolve(true));
  });
  socket.write(requests);
  await sleep(unreadMs);
  let bytes = 0;
  socket.on("data", (chunk) => (bytes += chunk.length)).resume();
  const isClosed = await Promise.race([closed, sleep(patienceMs, false)]);
  socket.destroy();
  expectThat(isClosed, "who read nothing is still connected");
  expectThat(bytes < answersBytes, "answers were kept for who read nothing");
}
