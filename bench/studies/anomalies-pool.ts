// Pool: the finding of 1996, with a client library of today. Then one unused handle was kept, here one unused connection. Callers that pause find
// theirs closed and open another: up to a point, longer think times mean longer round trips.
import type { Study } from "@roundtrip/runner";
import { singleCaller, thinkingCallers } from "../shared-tasks.ts";

const callers = [3, 6];

/** As in 1996, up to nine round trips of a single caller. */
const thinkMs = [0, 2, 5, 10, 20, 45];

/** One idle connection, and more than there are callers. */
const kept = [1, 100];

const callsPerCaller = 16;

/** GraphQL has the same client. The callers of gRPC share connections. */
const conditions = {
  settings: { idleConnections: kept },
  needs: ["cold connections"],
  styles: ["rest"],
} as const;

export const study: Study = {
  name: "anomalies-pool",
  title: "Pool",
  question: "What do callers who think pay for a client that keeps one idle connection?",
  rounds: 6,
  budgetMs: 95_000,
  takesFirstCalls: false,
  tasks: [
    singleCaller(conditions),
    ...callers.flatMap((among) =>
      thinkMs.map((pauseMs) => thinkingCallers(conditions, among, pauseMs, callsPerCaller)),
    ),
  ],
};
