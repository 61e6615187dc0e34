// Connections: what it costs over distance to open one for each call, as under the server of 2009 that closed after every answer; plain and
// over TLS, with and without resumption. Round trips before the answer, by construction: 1 on a connection that is there; on a new
// one 2 over HTTP/1.1 and TCP and 3 over gRPC, which waits for the server's settings first; over TLS one more, resumed or not.
import { linkDefaults, type SettingLevels, type Study, type Task } from "@roundtrip/runner";
import { greeting } from "../greeting.ts";

/**
 * The difference between the two is the distance's alone; both are far enough for processes to get warm side by side. How often a connection is
 * opened in a round.
 */
const distances = [
  { rttMs: 20, openings: 2 },
  { rttMs: 50, openings: 1 },
] as const;

/** Calls on a connection that is there, as many at either distance: what the first after a while takes longer is the same at both. */
const keptCalls = 5;

type Distance = (typeof distances)[number];

function plain(keepAlive: boolean): SettingLevels {
  return {
    "rest-express": { keepAlive: [keepAlive] },
    "graphql-apollo": { keepAlive: [keepAlive] },
    "grpc-js": { keepAlive: [keepAlive] },
  };
}

/** Sessions and their resumption are the HTTP client's, which REST and GraphQL share. gRPC has none. */
const secure: SettingLevels = {
  "rest-express": { keepAlive: [false], tlsResumption: [true, false] },
  "graphql-apollo": { keepAlive: [false], tlsResumption: [true, false] },
  "grpc-js": { keepAlive: [false] },
};

type Place = Pick<Task, "settings" | "takesFirstCalls"> & Required<Pick<Task, "tls">>;

const kept: Place = { settings: plain(true), tls: [false] };
/** What becomes of a connection after its first call makes no difference to that. */
const anew: Place = { settings: plain(false), tls: [false], takesFirstCalls: false };
const encrypted: Place = { settings: secure, tls: [true] };

function hello({ rttMs, openings }: Distance, place: Place): Task {
  const calls = place === kept ? keptCalls : openings;
  return {
    name: "hello",
    factors: {},
    ...place,
    links: [{ ...linkDefaults, rttMs }],
    needs: ["cold connections"],
    // Its connections are kept, which the study of distance shows.
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
  tasks: distances.flatMap((distance) => [kept, anew, encrypted].map((place) => hello(distance, place))),
};
