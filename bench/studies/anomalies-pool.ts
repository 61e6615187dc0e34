// Pool: what the study of 1996 found, with the client library of today. There, of the handles that callers had done with, one was kept; here, of the
// connections. Callers who pause then find theirs closed and open another: the longer they think, up to a point, the longer are their round trips.
import type { Study } from "@roundtrip/runner";
import { lonelyCaller, thinkingCallers } from "../thinking-callers.ts";

const callers = [3, 6];

/** As in 1996, up to nine round trips of a lonely caller. */
const thinkMs = [0, 2, 5, 10, 20, 45];

/** One idle connection, and more than there are callers. */
const kept = [1, 100];

/** Of each caller in a round. */
const callsPerCaller = 16;

/** GraphQL has the same client; gRPC's callers share what it opens. */
const place = {
  settings: { "rest-express": { idleConnections: kept } },
  needs: ["cold connections"],
  stacks: ["rest-express"],
} as const;

export const study: Study = {
  name: "anomalies-pool",
  title: "Pool",
  question: "What do callers who think pay for a client that keeps one idle connection?",
  rounds: 6,
  budgetMs: 150_000,
  takesFirstCalls: false,
  tasks: [
    lonelyCaller(place),
    ...callers.flatMap((among) => thinkMs.map((pauseMs) => thinkingCallers(place, among, pauseMs, callsPerCaller))),
  ],
};
