// Prepares one part of a round: starts and pins all its processes, takes first calls, compares answers, and warms up.
import type { JsonObject } from "@bufbuild/protobuf";
import type { PlannedArm } from "../study/planned-arm.ts";
import { limitConcurrency } from "../basics/concurrency.ts";
import { mayTransferConcurrently, mayWarmUpConcurrently, onlyMovesBulk, serializePerLink } from "./concurrent-pairs.ts";
import type { ProcessPair, PairSettings } from "./process-pair.ts";
import { PartWarmUp, type PartWarmUpOptions } from "./part-warm-up.ts";
import type { Placement } from "../processes/cores.ts";
import type { TaskAnswers, FirstCallAnswer } from "../processes/messages.ts";
import type { RoundLog } from "../run-directory/round-log.ts";
import { ProcessLoss, RunnerError } from "../basics/runner-error.ts";
import { verifyAnswers } from "./verify-answers.ts";

export type PreparationSettings = PairSettings & Pick<PartWarmUpOptions, "warmUpMs" | "settles">;

export interface PartToPrepare {
  readonly round: number;
  readonly arms: readonly PlannedArm[];
  readonly placement: Placement;
}

export interface PreparedPart {
  /** The estimated time of a task, by arm; undefined if it is unknown for any of them. */
  readonly taskMs: ((arm: PlannedArm) => number) | undefined;
}

/** More than two pairs, because a starting process also waits for files and for its other end. */
const mostPairsStarting = 4;

/** A pair has a single first call: the studies that need one take it in turn, each with its first arm. */
function firstCalled({ arms, isCold }: ProcessPair, round: number): PlannedArm | undefined {
  if (isCold) return undefined;
  const wanting = arms.filter(({ takesFirstCall }) => takesFirstCall);
  const studies = [...new Set(wanting.map((arm) => arm.study))];
  return wanting.find((arm) => arm.study === studies[round % studies.length]);
}

/** Makes the first calls of fresh processes, each alone: nothing else starts or calls meanwhile. */
async function takeFirstCalls(pairs: readonly ProcessPair[], round: number, log: RoundLog): Promise<void> {
  for (const pair of pairs) {
    const arm = firstCalled(pair, round);
    if (arm === undefined) continue;
    const { outcome, ...first } = await pair.ask<FirstCallAnswer>({ ask: "firstCall", armId: arm.id });
    if (outcome !== "OK") {
      const isUnreached = ["UNAVAILABLE", "NO_SOCKET"].includes(outcome);
      const { id } = pair.configuration;
      const message = `the first ${id} call ended with ${outcome}; no number is given`;
      if (isUnreached) throw new ProcessLoss({ name: `${id} server`, how: "silent", text: outcome }, message);
      throw new RunnerError("answers-differ", message);
    }
    log.firstCalls.push({ armId: arm.id, round, ...first });
  }
}

function distanceOf({ configuration }: ProcessPair): number {
  return configuration.link?.rttMs ?? 0;
}

/** Starts all pairs, those farthest away first, {@link mostPairsStarting} at once. Returns a promise for each. */
function startAll(pairs: readonly ProcessPair[], placement: Placement): ReadonlyMap<ProcessPair, Promise<void>> {
  const mayStart = limitConcurrency(mostPairsStarting);
  const farthestFirst = pairs.toSorted((a, b) => distanceOf(b) - distanceOf(a));
  const begin = async (pair: ProcessPair): Promise<void> => {
    await pair.start();
    pair.place(placement);
  };
  return new Map(farthestFirst.map((pair) => [pair, mayStart(() => begin(pair))]));
}

/** Brings a pair's server to the initial state, and keeps the answers of its arms. */
async function takeAnswers(pair: ProcessPair, answers: Map<string, JsonObject>, log: RoundLog): Promise<void> {
  // Arms of one task share their setup: each step is done once.
  const steps = [...new Set(pair.arms.flatMap(({ setup }) => setup))];
  await pair.ask<null>({ ask: "setup", steps });
  const answered = await pair.ask<TaskAnswers>({ ask: "answers" });
  log.responsesCompared += answered.responses;
  for (const [armId, answer] of Object.entries(answered.answers)) answers.set(armId, answer);
}

/** Compares the answers of pairs that were measured as they started. */
export async function verifyCold(pairs: readonly ProcessPair[], log: RoundLog): Promise<void> {
  const answers = new Map<string, JsonObject>();
  const cold = pairs.filter(({ isCold }) => isCold);
  for (const pair of cold) await takeAnswers(pair, answers, log);
  verifyAnswers(
    cold.flatMap(({ arms }) => arms),
    answers,
  );
}

/** The pairs of a part by when, and beside which others, they warm up. */
interface WarmUpGroups {
  /** Far pairs that take their answers, and warm up on their own, while others start. */
  readonly early: readonly ProcessPair[];
  /** All others, which wait for each other. */
  readonly late: readonly ProcessPair[];
  /** Late pairs whose calls use the processor. */
  readonly near: readonly ProcessPair[];
  /** Late pairs that settle beside others. */
  readonly settling: readonly ProcessPair[];
  /** Late pairs that share the processor, so that they would not settle. */
  readonly sharing: readonly ProcessPair[];
}

function warmUpGroups(pairs: readonly ProcessPair[], takesFirst: boolean): WarmUpGroups {
  const distant = pairs.filter(({ arms }) => arms.every(mayWarmUpConcurrently));
  // A single transfer prepares a connection; settling would take longer than measuring.
  const transferring = pairs.filter((pair) => !distant.includes(pair) && onlyMovesBulk(pair));
  const waiting = [
    ...distant.filter(({ arms }) => !arms.some(({ needs }) => needs.includes("bulk"))),
    ...transferring.filter(mayTransferConcurrently),
  ];
  // While others start, no first call is made.
  const early = takesFirst ? [] : waiting;
  const late = pairs.filter((pair) => !early.includes(pair));
  const beside = late.filter((pair) => distant.includes(pair));
  return {
    early,
    late,
    near: late.filter((pair) => !distant.includes(pair) && !transferring.includes(pair)),
    settling: beside.filter((pair) => !onlyMovesBulk(pair)),
    // Concurrent transfers share processors and would not settle: pairs that wait between transfers make some more without settling.
    sharing: beside.filter(onlyMovesBulk),
  };
}

/** Starts everything, takes first calls apart, compares answers and warms up; only first calls are timed. Then all are started and idle. */
export async function preparePart(
  pairs: readonly ProcessPair[],
  { warmUpMs, settles }: PreparationSettings,
  { round, arms: measured, placement }: PartToPrepare,
  log: RoundLog,
): Promise<PreparedPart> {
  log.clock.enter("startingMs");
  const starts = startAll(pairs, placement);
  const takesFirst = pairs.some((pair) => firstCalled(pair, round) !== undefined);
  const warm = pairs.filter(({ isCold }) => !isCold);
  const { early, late, near, settling, sharing } = warmUpGroups(warm, takesFirst);
  const warmUp = new PartWarmUp({ warmUpMs, settles, round }, log);
  const answers = new Map<string, JsonObject>();
  const answer = (pair: ProcessPair): Promise<void> => takeAnswers(pair, answers, log);
  const prepareEarly = async (pair: ProcessPair): Promise<void> => {
    await starts.get(pair);
    await answer(pair);
    if (!onlyMovesBulk(pair)) await warmUp.far(pair);
  };
  const prepareLate = async (): Promise<void> => {
    await Promise.all(starts.values());
    log.clock.enter("firstCallsMs");
    await takeFirstCalls(pairs, round, log);
    log.clock.enter("verificationMs");
    await serializePerLink(late, answer);
    log.clock.enter("warmUpMs");
    await Promise.all([
      warmUp.near(near),
      ...settling.map((pair) => warmUp.far(pair)),
      ...sharing.map((pair) => warmUp.together(pair)),
    ]);
  };
  await Promise.all([...early.map(prepareEarly), prepareLate()]);
  verifyAnswers(
    measured.filter(({ configuration }) => configuration.warmUp !== false),
    answers,
  );
  return { taskMs: warmUp.taskMs(measured) };
}
