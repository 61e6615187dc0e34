// Bulk: what it costs over distance to move 277 KB as one message, and 3.9 MB as a stream down and up: on a connection that is there, where it
// is a round trip and the time on the line, and on a new one, which begins slowly.
import { linkDefaults, type LinkSettings, type SettingLevels, type Study, type Task } from "@roundtrip/runner";
import { incompressibleText } from "../incompressible-text.ts";
import { downloaded, uploaded } from "../transfers.ts";

/** The payloads of 2009. */
const bufferedBytes = 277_000;
const streamedBytes = 3_900_000;

/**
 * Near, where the line decides, and far, where round trips do. Reno, because every kernel has it, and because its slow start is the one in
 * the books: the window doubles in each round trip, and nothing but a loss ends that. The bandwidth is one that an emulator carries on two
 * busy cores without a loss.
 */
const distances: readonly LinkSettings[] = [1, 30].map((rttMs) => ({
  ...linkDefaults,
  rttMs,
  bandwidthMbps: 200,
  congestionControl: "reno",
  slowStartAfterIdle: false,
}));

const echo: Task["variants"] = {
  buffered: {
    order: "sequential",
    driver: "own",
    // Text, as in 2009.
    steps: [{ operation: "roundtrip.v1.PayloadService.Echo", request: { text: incompressibleText(bufferedBytes) } }],
  },
};

const everyStack = ["grpc-js", "rest-express", "graphql-apollo"];
/** GraphQL opens its connections, plain or TLS, as REST does: the client is the same. */
const oneOfEachHttp = ["grpc-js", "rest-express"];

interface Place {
  readonly stacks: readonly string[];
  readonly settings: SettingLevels;
  readonly tls: readonly boolean[];
  /** Whether its first calls are a result: over TLS they are the study of connections', since all that bulk data adds to them shows without. */
  readonly hasFirstCalls: boolean;
}

const kept: Place = { stacks: everyStack, settings: {}, tls: [false], hasFirstCalls: true };
const encrypted: Place = { stacks: oneOfEachHttp, settings: {}, tls: [true], hasFirstCalls: false };
const anew: Place = {
  stacks: oneOfEachHttp,
  settings: Object.fromEntries(oneOfEachHttp.map((stack) => [stack, { newConnectionPerCall: [true] }])),
  tls: [false],
  hasFirstCalls: false,
};

/** Messages are short beside streams, so that a busy moment weighs more: there are two of them. */
function timesOf(name: string): Pick<Task, "tasksPerRound" | "tasksPerBlock"> {
  const times = name === "echo" ? 2 : 1;
  return { tasksPerRound: times, tasksPerBlock: times };
}

function transfer(
  name: string,
  payloadBytes: number,
  variants: Task["variants"],
  { hasFirstCalls, ...place }: Place,
): Task {
  return {
    name,
    factors: { payloadBytes },
    ...place,
    links: distances,
    onFloor: false,
    // A first call shows 277 KB on a new connection; calls that all open one show 3.9 MB.
    takesFirstCalls: name === "echo" && hasFirstCalls,
    needs: ["cold connections", "bulk"],
    variants,
    answerKeys: [],
    expected: {},
    setup: [],
    callers: 1,
    ...timesOf(name),
  };
}

const download = downloaded(streamedBytes);
const upload = uploaded(streamedBytes);

export const study: Study = {
  name: "network-bulk",
  title: "Bulk",
  question: "How many round trips does bulk data wait for, and when do its first bytes come?",
  rounds: 6,
  budgetMs: 75_000,
  tasks: [
    transfer("echo", bufferedBytes, echo, kept),
    transfer("echo", bufferedBytes, echo, encrypted),
    transfer("download", streamedBytes, download, kept),
    transfer("download", streamedBytes, download, anew),
    transfer("upload", streamedBytes, upload, kept),
    transfer("upload", streamedBytes, upload, anew),
  ],
};
