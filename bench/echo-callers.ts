// Callers who think between echoes of so many packets: every cell of the study of 1996, whichever of its levels a study of today takes.
import { closedLoop, type Step, type Task } from "@roundtrip/runner";
import { createHash } from "node:crypto";

/**
 * As much as lengthens a call as a packet of Ethernet did in 1996: from 5.7 ms without any to 8.0 with one and 34 with twelve. Today 1,400 bytes,
 * and twelve times that, take no measurable time: six levels of them were one.
 */
const bytesPerPacket = 16_000;

const long = { packets: 12, thinkMs: 12 } as const;

/** Calls of each caller in a round: a cell lasts for some twentieth of a second or more. */
function callsPerCaller(count: number, pauseMs: number): number {
  return count >= long.packets || pauseMs >= long.thinkMs ? 12 : 32;
}

/**
 * Of the one caller whose calls the model is fed with: an error there is one in every prediction. They come in blocks all over the round, so that
 * nothing that passes is in all of them.
 */
function callsOfFed(count: number): { readonly round: number; readonly block: number } {
  return count >= long.packets ? { round: 60, block: 12 } : { round: 200, block: 40 };
}

/** The same letters in every run, which cannot be compressed much. */
function text(letters: number): string {
  return createHash("shake256", { outputLength: letters }).update("roundtrip").digest("base64").slice(0, letters);
}

/** As many as clients over HTTP/1.1 have connections for: then nothing waits in the client. */
const callsOfBurst = 6;

function variants(step: Step, isFed: boolean): Task["variants"] {
  const single = { order: "sequential", driver: "own", steps: [step] } as const;
  if (!isFed) return { single };
  const steps = Array.from({ length: callsOfBurst }, () => step);
  return { single, burst: { order: "parallel", driver: "own", steps } };
}

function task(count: number, among: number, pauseMs: number): Task {
  const isFed = among === 1 && pauseMs === 0;
  const own = callsPerCaller(count, pauseMs);
  // One caller's calls after pauses feed the model, too: twice as many, in two places.
  const calls = isFed ? callsOfFed(count) : { round: own * Math.max(among, 2), block: own * among };
  const step = { operation: "roundtrip.v1.PayloadService.Echo", request: { text: text(count * bytesPerPacket) } };
  return {
    name: "echo",
    factors: { packets: count },
    settings: {},
    links: [],
    onFloor: false,
    variants: variants(step, isFed),
    answerKeys: [],
    expected: {},
    setup: [],
    load: { pacer: closedLoop({ thinkMs: pauseMs, thinkTime: "exponential" }) },
    callers: among,
    tasksPerRound: calls.round,
    tasksPerBlock: calls.block,
  };
}

/** What is varied: each combination is a task. */
export interface EchoLevels {
  readonly packets: readonly number[];
  readonly callers: readonly number[];
  /** Means of exponential distributions; 0 has to be among them, since who does not think feeds the model. */
  readonly thinkMs: readonly number[];
}

export function echoCallers({ packets, callers, thinkMs }: EchoLevels): readonly Task[] {
  return packets.flatMap((count) => callers.flatMap((among) => thinkMs.map((pauseMs) => task(count, among, pauseMs))));
}
