// Callers that think between echoes of a given number of packets: the cells of the 1996 study, for any of its levels.
import { closedLoop, type Step, type Task } from "@roundtrip/runner";
import { createHash } from "node:crypto";

/**
 * This many bytes lengthen a call as much as one Ethernet packet did in 1996: from 5.7 ms without a packet to 8.0 with one and 34 with twelve. Today
 * 1,400 bytes, and twelve times that, take no measurable time: six levels of them would be one.
 */
const bytesPerPacket = 16_000;

const long = { packets: 12, thinkMs: 12 } as const;

/** Calls of each caller in a round. A cell lasts about a twentieth of a second or more. */
function callsPerCaller(count: number, pauseMs: number): number {
  return count >= long.packets || pauseMs >= long.thinkMs ? 12 : 32;
}

/** Calls of the single caller that feeds the model: its error enters every prediction. Spread over the round, so that a disturbance affects few. */
function callsOfFed(count: number): { readonly round: number; readonly block: number } {
  return count >= long.packets ? { round: 60, block: 12 } : { round: 200, block: 40 };
}

/** Text that is the same in every run and hardly compresses. */
function text(letters: number): string {
  return createHash("shake256", { outputLength: letters }).update("roundtrip").digest("base64").slice(0, letters);
}

/** As many calls as an HTTP/1.1 client has connections, so that none waits in the client. */
const callsOfBurst = 6;

function variants(step: Step, isModelInput: boolean): Task["variants"] {
  const single = { order: "sequential", driver: "own", steps: [step] } as const;
  if (!isModelInput) return { single };
  const steps = Array.from({ length: callsOfBurst }, () => step);
  return { single, burst: { order: "parallel", driver: "own", steps } };
}

function task(count: number, among: number, pauseMs: number): Task {
  const isModelInput = among === 1 && pauseMs === 0;
  const own = callsPerCaller(count, pauseMs);
  // The calls of a single caller after pauses also feed the model: twice as many, in two blocks.
  const calls = isModelInput ? callsOfFed(count) : { round: own * Math.max(among, 2), block: own * among };
  const step = { operation: "roundtrip.v1.PayloadService.Echo", request: { text: text(count * bytesPerPacket) } };
  return {
    name: "echo",
    factors: { packets: count },
    settings: {},
    links: [],
    onFloor: false,
    variants: variants(step, isModelInput),
    answerKeys: [],
    expected: {},
    setup: [],
    load: { pacer: closedLoop({ thinkMs: pauseMs, thinkTime: "exponential" }) },
    callers: among,
    tasksPerRound: calls.round,
    tasksPerBlock: calls.block,
  };
}

/** The varied levels: each combination is a task. */
export interface EchoLevels {
  readonly packets: readonly number[];
  readonly callers: readonly number[];
  /** Means of exponential distributions. Must include 0, because callers that do not think feed the model. */
  readonly thinkMs: readonly number[];
}

export function echoCallers({ packets, callers, thinkMs }: EchoLevels): readonly Task[] {
  return packets.flatMap((count) => callers.flatMap((among) => thinkMs.map((pauseMs) => task(count, among, pauseMs))));
}
