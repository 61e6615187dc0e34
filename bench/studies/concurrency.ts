// Callers who wait for each answer and think before they call again: the study of 1996, call by call. What one caller takes of both processors
// is measured, and the model says what several with pauses between their calls see.
import { closedLoop, type Step, type Study, type Task } from "@roundtrip/runner";
import { createHash } from "node:crypto";

/** Of the six levels of 1996 those that are not between two neighbours: what is left out is time for more calls of each. */
const packets = [0, 1, 3, 12];
const callers = [1, 3, 6, 9];

/**
 * Mean pauses in ms. Those of 1996 went up to 216 ms, 27 times what a call of one packet took alone; 12 ms are as much for calls of 0.44 ms. Of
 * the levels between there are two: with all of them a run would last for longer than five minutes.
 */
const thinkMs = [0, 0.5, 2, 12];

/**
 * As much as lengthens a call as a packet of Ethernet did in 1996: from 5.7 ms without any to 8.0 with one and 34 with twelve. Today 1,400 bytes,
 * and twelve times that, take nothing that could be told from a call without any: six levels of them were one.
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

export const study: Study = {
  name: "concurrency",
  title: "Concurrency",
  question: "What do several callers who think between their calls wait for, and did a model know?",
  rounds: 6,
  budgetMs: 280_000,
  takesFirstCalls: false,
  tasks: packets.flatMap((count) => callers.flatMap((among) => thinkMs.map((pauseMs) => task(count, among, pauseMs)))),
};
