// Streams: callers who share one connection of HTTP/2 get no more calls through at once than its server allows. Those beyond wait in the client, where
// neither processor is busy with them, and a model that knows processors alone tells them far too little.
import { closedLoop, linkDefaults, type Study, type Task } from "@roundtrip/runner";
import { greeting } from "../greeting.ts";

/** While a call is on its way it holds its stream, and nobody's processor. */
const rttMs = 5;

const callers = [2, 4, 8];
const thinkMs = [0, 5, 20];

/** As few as can be told from one, and more than there are callers. */
const streams = [2, 100];

/** Of each caller in a round. */
const callsPerCaller = 30;

/** Of the one caller whose calls the model is fed with. */
const callsOfFed = 60;

function hello(among: number, pauseMs: number, tasks: number): Task {
  return {
    name: "hello",
    factors: {},
    settings: { "grpc-js": { maxConcurrentStreams: streams, localSubchannelPool: [false] } },
    links: [{ ...linkDefaults, rttMs }],
    onFloor: false,
    stacks: ["grpc-js"],
    ...greeting,
    load: { pacer: closedLoop({ thinkMs: pauseMs, thinkTime: "exponential" }) },
    callers: among,
    tasksPerRound: tasks,
    tasksPerBlock: tasks,
  };
}

export const study: Study = {
  name: "anomalies-streams",
  title: "Streams",
  question: "What do callers wait for whose server lets two calls at once through a connection?",
  rounds: 6,
  budgetMs: 120_000,
  takesFirstCalls: false,
  tasks: [
    hello(1, 0, callsOfFed),
    ...callers.flatMap((among) => thinkMs.map((pauseMs) => hello(among, pauseMs, callsPerCaller * among))),
  ],
};
