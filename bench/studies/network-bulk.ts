// Bulk: the cost over distance of 277 KB as one message, and of 3.9 MB as a stream down and up. On a warm connection it is a round trip plus the
// transmission time; a new connection starts slowly.
import { linkDefaults, type LinkSettings, type LevelsOfStack, type Study, type Task } from "@roundtrip/runner";
import { incompressibleText, downloaded, uploaded } from "../shared-tasks.ts";

/** The payloads of 2009. */
const bufferedBytes = 277_000;
const streamedBytes = 3_900_000;

/**
 * Near, where bandwidth dominates, and far, where round trips do. Reno, because every kernel has it, and because its slow start is the textbook one:
 * the window doubles in each round trip until a loss. An emulator carries this bandwidth on two busy cores without a loss.
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

/** GraphQL opens connections, plain or TLS, like REST: the client is the same. */
const oneOfEachHttp = ["grpc", "rest"];

interface Connections {
  readonly styles?: readonly string[];
  readonly settings: LevelsOfStack;
  readonly tls: readonly boolean[];
  /** Whether first calls are a result. Over TLS they belong to the connections study: what bulk data adds to them shows without TLS. */
  readonly hasFirstCalls: boolean;
}

const kept: Connections = { settings: {}, tls: [false], hasFirstCalls: true };
const encrypted: Connections = { styles: oneOfEachHttp, settings: {}, tls: [true], hasFirstCalls: false };
const anew: Connections = {
  styles: oneOfEachHttp,
  settings: { newConnectionPerCall: [true] },
  tls: [false],
  hasFirstCalls: false,
};

/** Messages are short compared with streams, so a busy moment weighs more: there are two of them. */
function timesOf(name: string): Pick<Task, "tasksPerRound" | "tasksPerBlock"> {
  const times = name === "echo" ? 2 : 1;
  return { tasksPerRound: times, tasksPerBlock: times };
}

function transfer(
  name: string,
  payloadBytes: number,
  variants: Task["variants"],
  { hasFirstCalls, ...settings }: Connections,
): Task {
  return {
    name,
    factors: { payloadBytes },
    ...settings,
    links: distances,
    onFloor: false,
    // A first call shows 277 KB on a new connection; calls that each open one show 3.9 MB.
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
