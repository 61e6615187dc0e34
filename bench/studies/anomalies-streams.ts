// Streams: callers who share one connection of HTTP/2 get no more calls through at once than its server allows. Those beyond wait in the client, where
// neither processor is busy with them, and a model of processors alone predicts far too little.
import type { Study } from "@roundtrip/runner";
import { lonelyCaller, thinkingCallers } from "../thinking-callers.ts";

const callers = [2, 4, 8];
const thinkMs = [0, 5, 20];

/** The lowest limit that differs from one, and one above the number of callers. */
const streams = [2, 100];

/** Of each caller in a round. */
const callsPerCaller = 30;

/** While a call is on its way it holds its stream, and nobody's processor. */
const place = {
  settings: { "grpc-js": { maxConcurrentStreams: streams, localSubchannelPool: [false] } },
  stacks: ["grpc-js"],
};

export const study: Study = {
  name: "anomalies-streams",
  title: "Streams",
  question: "What do callers wait for whose server lets two calls at once through a connection?",
  rounds: 6,
  budgetMs: 120_000,
  takesFirstCalls: false,
  tasks: [
    lonelyCaller(place),
    ...callers.flatMap((among) => thinkMs.map((pauseMs) => thinkingCallers(place, among, pauseMs, callsPerCaller))),
  ],
};
