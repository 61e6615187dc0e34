// Pool: what the study of 1996 found, with the client library of today. There, of the handles that callers had done with, one was kept; here, of the
// connections. Callers who pause then find theirs closed and open another: the longer they think, up to a point, the longer are their round trips.
import { closedLoop, linkDefaults, type Study, type Task } from "@roundtrip/runner";
import { greeting } from "../greeting.ts";

/** Far enough that a new connection costs a visible round trip, and near enough for many calls. */
const rttMs = 5;

const callers = [3, 6];

/** As in 1996, up to nine round trips of a lonely caller. */
const thinkMs = [0, 2, 5, 10, 20, 45];

/** One idle connection, and more than there are callers. */
const kept = [1, 100];

/** Of each caller in a round. */
const callsPerCaller = 16;

/** Of the one caller whose calls the model is fed with. */
const callsOfFed = 60;

function hello(among: number, pauseMs: number, tasks: number): Task {
  return {
    name: "hello",
    factors: {},
    settings: { "rest-express": { idleConnections: kept } },
    links: [{ ...linkDefaults, rttMs }],
    needs: ["cold connections"],
    onFloor: false,
    // GraphQL has the same client; gRPC's callers share what it opens.
    stacks: ["rest-express"],
    ...greeting,
    load: { pacer: closedLoop({ thinkMs: pauseMs, thinkTime: "exponential" }) },
    callers: among,
    tasksPerRound: tasks,
    tasksPerBlock: tasks,
  };
}

export const study: Study = {
  name: "anomalies-pool",
  title: "Pool",
  question: "What do callers who think pay for a client that keeps one idle connection?",
  rounds: 6,
  budgetMs: 150_000,
  takesFirstCalls: false,
  tasks: [
    hello(1, 0, callsOfFed),
    ...callers.flatMap((among) => thinkMs.map((pauseMs) => hello(among, pauseMs, callsPerCaller * among))),
  ],
};
