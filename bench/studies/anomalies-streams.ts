// Streams: callers that share one HTTP/2 connection get at most as many concurrent calls as the server allows. Further calls wait in the client
// without using a processor, so that a model of processors predicts far too little.
import type { Study } from "@roundtrip/runner";
import { singleCaller, thinkingCallers } from "../shared-tasks.ts";

const callers = [2, 4, 8];
const thinkMs = [0, 5, 20];

/** The lowest limit that differs from one, and one above the number of callers. */
const streams = [2, 100];

const callsPerCaller = 30;

/** A call that is under way occupies its stream, but no processor. */
const conditions = {
  settings: { maxConcurrentStreams: streams, localSubchannelPool: [false] },
  styles: ["grpc"],
};

export const study: Study = {
  name: "anomalies-streams",
  title: "Streams",
  question: "What do callers wait for whose server lets two calls at once through a connection?",
  rounds: 6,
  budgetMs: 120_000,
  takesFirstCalls: false,
  tasks: [
    singleCaller(conditions),
    ...callers.flatMap((among) =>
      thinkMs.map((pauseMs) => thinkingCallers(conditions, among, pauseMs, callsPerCaller)),
    ),
  ],
};
