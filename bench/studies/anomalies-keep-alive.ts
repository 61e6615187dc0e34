// Keep-alive: a server that closes connections after a while without calls, and a caller who thinks for about as long. A call that comes later opens
// a connection; one that is on its way while the server closes is lost. A client that knows the time-out, or closes first, loses none.
import type { SettingLevels, Study } from "@roundtrip/runner";
import { lonelyCaller, thinkingCallers } from "../thinking-callers.ts";

const serverKeepsMs = 60;

/** Sooner than the server, by far more than a round trip: timers are late on busy machines. */
const clientKeepsMs = 30;

/** From a quarter of that to twice as much. */
const thinkMs = [15, 30, 60, 120];

/** Calls in a round; one caller makes them, so that nobody uses a connection meanwhile. */
const calls = 24;

/** A connection that lasts; one that its server closes unsaid; and one that its client lets go of before that. */
const ways: readonly SettingLevels[string][] = [
  { keepAliveHint: [false] },
  { keepAliveHint: [false], maxConnectionIdleMs: [serverKeepsMs] },
  { keepAliveHint: [false], maxConnectionIdleMs: [serverKeepsMs], clientIdleTimeoutMs: [clientKeepsMs] },
];

/** Calls are lost that are sent within one round trip before the end of their connection. */
const places = ways.map((set) => ({
  settings: { "rest-express": set },
  needs: ["cold connections"] as const,
  stacks: ["rest-express"],
}));

export const study: Study = {
  name: "anomalies-keep-alive",
  title: "Keep-alive",
  question: "What becomes of calls whose caller thinks for about as long as the server keeps a connection?",
  rounds: 6,
  budgetMs: 150_000,
  takesFirstCalls: false,
  tasks: places.flatMap((place) => [
    lonelyCaller(place),
    ...thinkMs.map((pauseMs) => thinkingCallers(place, 1, pauseMs, calls)),
  ]),
};
