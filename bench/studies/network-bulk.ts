// Bulk: what it costs over distance to move 277 KB as one message, and 3.9 MB as a stream down and up: on a connection that is there, where it
// is a round trip and the time on the line, and on a new one, which begins slowly.
import { createHash } from "node:crypto";
import { linkDefaults, type LinkSettings, type SettingLevels, type Study, type Task } from "@roundtrip/runner";
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

/** The same text in every run, as in 2009: letters that cannot be compressed much, and that no style has to write in another way. */
const text = createHash("shake256", { outputLength: bufferedBytes })
  .update("roundtrip")
  .digest("base64")
  .slice(0, bufferedBytes);

const echo: Task["variants"] = {
  buffered: {
    order: "sequential",
    driver: "own",
    steps: [{ operation: "roundtrip.v1.PayloadService.Echo", request: { text } }],
  },
};

const asUsual: SettingLevels = {};
const anew: SettingLevels = {
  "grpc-js": { newConnectionPerCall: [true] },
  "rest-express": { newConnectionPerCall: [true] },
  "graphql-apollo": { newConnectionPerCall: [true] },
};

function transfer(
  name: string,
  payloadBytes: number,
  variants: Task["variants"],
  { settings, tls }: { readonly settings: SettingLevels; readonly tls: readonly boolean[] },
): Task {
  return {
    name,
    factors: { payloadBytes },
    settings,
    links: distances,
    tls,
    onFloor: false,
    takesFirstCalls: name === "echo",
    needs: ["cold connections", "bulk"],
    variants,
    answerKeys: [],
    expected: {},
    setup: [],
    callers: 1,
    tasksPerRound: 1,
    tasksPerBlock: 1,
  };
}

/** A first call shows 277 KB on a new connection; what of 3.9 MB is TLS, a run with --tls. */
const plain = { settings: asUsual, tls: [false] };
const cold = { settings: anew, tls: [false] };

export const study: Study = {
  name: "network-bulk",
  title: "Bulk",
  question: "How many round trips does bulk data wait for, and when do its first bytes come?",
  rounds: 6,
  budgetMs: 90_000,
  tasks: [
    transfer("echo", bufferedBytes, echo, { settings: asUsual, tls: [false, true] }),
    transfer("download", streamedBytes, downloaded(streamedBytes), plain),
    transfer("upload", streamedBytes, uploaded(streamedBytes), plain),
    transfer("download", streamedBytes, downloaded(streamedBytes), cold),
    transfer("upload", streamedBytes, uploaded(streamedBytes), cold),
  ],
};
