// Bulk: what it costs over distance to move 277 KB as one message, and 3.9 MB as a stream down and up, plain and over TLS. On a connection
// that is there it is a round trip and the time on the line; the first call of fresh processes sends 277 KB on a new one, which begins slowly.
import { createHash } from "node:crypto";
import { linkDefaults, type LinkSettings, type Study, type Task } from "@roundtrip/runner";
import { downloaded, uploaded } from "../transfers.ts";

/** The payloads of 2009. */
const bufferedBytes = 277_000;
const streamedBytes = 3_900_000;

/**
 * Near, where the line decides, and far, where round trips do. Reno, because every kernel has it, and because its slow start is the one in
 * the books: the window doubles in each round trip, and nothing but a loss ends that. The bandwidth is one that an emulator carries on two
 * busy cores without a loss.
 */
const distances: readonly LinkSettings[] = [1, 50].map((rttMs) => ({
  ...linkDefaults,
  rttMs,
  bandwidthMbps: 100,
  congestionControl: "reno",
  slowStartAfterIdle: false,
}));

/** The same bytes in every run, and as many of them after compression. */
const incompressible = createHash("shake256", { outputLength: bufferedBytes }).update("roundtrip").digest("base64");

const echo: Task["variants"] = {
  buffered: {
    order: "sequential",
    driver: "own",
    steps: [{ operation: "roundtrip.v1.PayloadService.Echo", request: { data: incompressible } }],
  },
};

function transfer(name: string, payloadBytes: number, variants: Task["variants"]): Task {
  return {
    name,
    factors: { payloadBytes },
    settings: {},
    links: distances,
    tls: [false, true],
    onFloor: false,
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

export const study: Study = {
  name: "network-bulk",
  title: "Bulk",
  question: "How many round trips does bulk data wait for, and when do its first bytes come?",
  rounds: 6,
  budgetMs: 60_000,
  tasks: [
    transfer("echo", bufferedBytes, echo),
    transfer("download", streamedBytes, downloaded(streamedBytes)),
    transfer("upload", streamedBytes, uploaded(streamedBytes)),
  ],
};
