// Connections: the cost over distance of opening one for each call, as with the server of 2009 that closed after every answer; plain and over TLS,
// with and without resumption. Round trips until the answer, by construction: 1 on a kept connection; on a new one 2 over HTTP/1.1 and TCP, and 3
// over gRPC, which waits for the server's settings first; over TLS one more, resumed or not.
import { linkDefaults, type LevelsOfStack, type Study, type Task } from "@roundtrip/runner";
import { greeting } from "../shared-tasks.ts";

/** Results differ only by the distance. Both are far enough to warm up side by side. `openings` is the number of new connections in a round. */
const distances = [
  { rttMs: 20, openings: 2 },
  { rttMs: 50, openings: 1 },
] as const;

/** Calls on a kept connection, the same number at either distance: the first call after a pause is slower by the same amount at both. */
const keptCalls = 5;

type Distance = (typeof distances)[number];

/** Only the client of REST and GraphQL resumes sessions. */
const secure: LevelsOfStack = { keepAlive: [false], tlsResumption: [true, false] };

type Connections = Pick<Task, "settings" | "takesFirstCalls"> & Required<Pick<Task, "tls">>;

const kept: Connections = { settings: { keepAlive: [true] }, tls: [false] };
/** Keeping or closing the connection afterwards does not affect the first call. */
const anew: Connections = { settings: { keepAlive: [false] }, tls: [false], takesFirstCalls: false };
const encrypted: Connections = { settings: secure, tls: [true] };

function hello({ rttMs, openings }: Distance, connections: Connections): Task {
  const calls = connections === kept ? keptCalls : openings;
  return {
    name: "hello",
    factors: {},
    ...connections,
    links: [{ ...linkDefaults, rttMs }],
    needs: ["cold connections"],
    // The floor keeps its connections, which the distance study shows.
    onFloor: false,
    ...greeting,
    tasksPerRound: calls,
    tasksPerBlock: calls,
  };
}

export const study: Study = {
  name: "network-connections",
  title: "Connections",
  question: "How many round trips does a call wait for when its connection is not there yet?",
  rounds: 6,
  budgetMs: 55_000,
  tasks: distances.flatMap((distance) => [kept, anew, encrypted].map((connections) => hello(distance, connections))),
};
