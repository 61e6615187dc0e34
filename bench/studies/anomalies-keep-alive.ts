// Keep-alive: a server that closes idle connections, and a caller that thinks for about as long. A later call opens a connection; a call under way
// while the server closes is lost. A client that knows the time-out, or closes first, loses none.
import type { LevelsOfStack, Study } from "@roundtrip/runner";
import { singleCaller, thinkingCallers } from "../shared-tasks.ts";

const serverKeepsMs = 60;

/** Earlier than the server, by far more than a round trip: timers are late on busy machines. */
const clientKeepsMs = 30;

/** From a quarter of the server's time to twice as much. */
const thinkMs = [15, 30, 60, 120];

/** Calls in a round, by a single caller, so that no other call uses the connection meanwhile. */
const calls = 24;

/** A connection that lasts; one that the server closes without an announcement; one that the client closes earlier. */
const connections: readonly LevelsOfStack[] = [
  { keepAliveHint: [false] },
  { keepAliveHint: [false], maxConnectionIdleMs: [serverKeepsMs] },
  { keepAliveHint: [false], maxConnectionIdleMs: [serverKeepsMs], clientIdleTimeoutMs: [clientKeepsMs] },
];

/** Calls are lost if they are sent within one round trip before their connection ends. */
const conditions = connections.map((set) => ({
  settings: set,
  needs: ["cold connections"] as const,
  styles: ["rest"],
}));

export const study: Study = {
  name: "anomalies-keep-alive",
  title: "Keep-alive",
  question: "What becomes of calls whose caller thinks for about as long as the server keeps a connection?",
  rounds: 6,
  budgetMs: 150_000,
  takesFirstCalls: false,
  tasks: conditions.flatMap((condition) => [
    singleCaller(condition),
    ...thinkMs.map((pauseMs) => thinkingCallers(condition, 1, pauseMs, calls)),
  ]),
};
