// Brings one part of a round to where it can be measured: all its processes started and placed, first calls taken, answers compared, and warm.
import type { JsonObject } from "@bufbuild/protobuf";
import type { Arm } from "../study/arm.ts";
import { atMost } from "./at-most.ts";
import { mayWarmUpBeside } from "./far-pairs.ts";
import { lineByLine, onlyMovesBulk } from "./line-by-line.ts";
import { shortWarmUp, warmUpRules, type WarmUpRule } from "../measure/warm-up.ts";
import { isUnderLoad, type Pair, type PairSettings } from "../pair/pair.ts";
import type { Placement } from "../processes/cores.ts";
import type { AnswersAnswer, FirstCallAnswer, WarmUpAnswer } from "../processes/messages.ts";
import type { RoundLog } from "../run-directory/round-log.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { verifyAnswers } from "./verify-answers.ts";

export interface Preparing extends PairSettings {
  /** How long all near pairs of a part call at once before each settles alone. */
  readonly warmUpMs: number;
  /** False where that is all, and no pair is waited for to settle. */
  readonly settles: boolean;
}

export interface PartToPrepare {
  readonly round: number;
  readonly arms: readonly Arm[];
  readonly placement: Placement;
  /** Whether time is short, so that cells or calls are left out. */
  readonly isShort: boolean;
}

/** What is known when all processes are warm. */
export interface PreparedPart {
  /** What a call took while its processes were warmed up alone, by arm; undefined where that is not known of all of them. */
  readonly msPerCall: ((arm: Arm) => number) | undefined;
}

/** More than two cores have room for, since a process that starts waits too: for files, and for the other end. */
const mostPairsStarting = 4;

/** A pair of processes has one first call to give: the studies that want one take it in turn, each with its first arm. */
function firstCalled({ arms }: Pair, round: number): Arm | undefined {
  const wanting = arms.filter(({ takesFirstCall }) => takesFirstCall);
  const studies = [...new Set(wanting.map((arm) => arm.study))];
  return wanting.find((arm) => arm.study === studies[round % studies.length]);
}

/** The calls of fresh processes, each alone: nothing else starts or calls meanwhile. */
async function takeFirstCalls(pairs: readonly Pair[], round: number, log: RoundLog): Promise<void> {
  for (const pair of pairs) {
    const arm = firstCalled(pair, round);
    if (arm === undefined) continue;
    const first = await pair.ask<FirstCallAnswer>({ ask: "firstCall", armId: arm.id });
    if (first.outcome !== "OK") {
      const isUnreached = ["UNAVAILABLE", "NO_SOCKET"].includes(first.outcome);
      const code = isUnreached ? "no-answer" : "answers-differ";
      throw new RunnerError(
        code,
        `the first ${pair.configuration.id} call ended with ${first.outcome}; no number is given`,
      );
    }
    log.firstCalls.push({ armId: arm.id, round, firstCallMs: first.firstCallMs });
  }
}

function distanceOf({ configuration }: Pair): number {
  return configuration.link?.rttMs ?? 0;
}

/**
 * Starts everything, takes first calls apart, compares answers and warms up. Nothing but first calls is timed: what one pair leaves idle of the
 * cores another may use, to start or to get its code compiled. All processes have started and are quiet when it resolves.
 */
export async function preparePart(
  pairs: readonly Pair[],
  { warmUpMs, settles }: Preparing,
  { round, arms: measured, placement, isShort }: PartToPrepare,
  log: RoundLog,
): Promise<PreparedPart> {
  log.clock.enter("startingMs");
  const begin = async (pair: Pair): Promise<void> => {
    await pair.start();
    pair.place(placement);
  };
  const answers = new Map<string, JsonObject>();
  const answer = async (pair: Pair): Promise<void> => {
    // Arms of one task share their setup: each step is done once.
    const steps = [...new Set(pair.arms.flatMap(({ setup }) => setup))];
    await pair.ask<null>({ ask: "setup", steps });
    const answered = await pair.ask<AnswersAnswer>({ ask: "answers" });
    log.responsesCompared += answered.responses;
    for (const [armId, given] of Object.entries(answered.answers)) answers.set(armId, given);
  };
  const { together, alone, underLoad, far } = warmUpRules(warmUpMs, isShort);
  // One rule after the other: a pair has settled where the last of them says so.
  const note = (pair: Pair, { calls, elapsedMs, settled }: Omit<WarmUpAnswer, "msPerCall">): void => {
    const { stack, settings: given } = pair.configuration;
    const held = Object.keys(given).length === 0 ? {} : { settings: given };
    log.warmUps.push({ stack, ...held, round, calls, elapsedMs, settled });
  };
  const aloneMs = new Map<string, number>();
  const warmUp = async (pair: Pair, ...rules: readonly WarmUpRule[]): Promise<void> => {
    let [calls, elapsedMs, settled] = [0, 0, false];
    for (const rule of rules) {
      const answered = await pair.ask<WarmUpAnswer>({ ask: "warmUp", rule });
      if (rule === alone) aloneMs.set(pair.configuration.id, answered.msPerCall);
      calls += answered.calls;
      elapsedMs += answered.elapsedMs;
      settled = answered.settled;
    }
    note(pair, { calls, elapsedMs, settled });
  };
  const warmUpInTurn = async (versions: readonly Pair[]): Promise<void> => {
    const [first, ...others] = versions;
    const rule = shortWarmUp(
      warmUpMs,
      versions.some((pair) => pair.arms.some(isUnderLoad)),
    );
    const inTurnWith = others.map(({ configuration }) => configuration.id);
    if (first === undefined) return;
    const answered = await first.ask<WarmUpAnswer>({ ask: "warmUp", rule, inTurnWith });
    for (const pair of versions) note(pair, answered);
  };

  const mayStart = atMost(mostPairsStarting);
  const farthestFirst = pairs.toSorted((one, other) => distanceOf(other) - distanceOf(one));
  const starts = new Map(farthestFirst.map((pair) => [pair, mayStart(() => begin(pair))]));
  const takesFirstCalls = pairs.some((pair) => firstCalled(pair, round) !== undefined);
  const distant = pairs.filter(({ arms }) => arms.every(mayWarmUpBeside));
  // Who is far waits for the network while others start. Not for a first call, and not for bulk data: an emulator that gets no processor loses it.
  const early = takesFirstCalls ? [] : distant.filter(({ arms }) => !arms.some(({ needs }) => needs.includes("bulk")));
  const late = pairs.filter((pair) => !early.includes(pair));
  // Transfers have been made once, which is what their connections need; settling takes them longer than measuring.
  const near = late.filter((pair) => !distant.includes(pair) && !onlyMovesBulk(pair));
  const warmUpNear = async (): Promise<void> => {
    if (!settles) {
      await Promise.all([...Map.groupBy(near, ({ configuration }) => configuration.alike).values()].map(warmUpInTurn));
      return;
    }
    await Promise.all(near.map((pair) => pair.ask<WarmUpAnswer>({ ask: "warmUp", rule: together })));
    for (const pair of near) await warmUp(pair, alone, ...(pair.arms.some(isUnderLoad) ? [underLoad] : []));
  };
  const prepareEarly = async (pair: Pair): Promise<void> => {
    await starts.get(pair);
    await answer(pair);
    await warmUp(pair, far);
  };
  const prepareLate = async (): Promise<void> => {
    await Promise.all(starts.values());
    log.clock.enter("firstCallsMs");
    await takeFirstCalls(pairs, round, log);
    log.clock.enter("verificationMs");
    await lineByLine(late, answer);
    log.clock.enter("warmUpMs");
    // Transfers at once share processors, so that they would not settle: those that wait between them make some more, and are not asked to.
    const [settling, sharing] = [false, true].map((wanted) =>
      late.filter((pair) => distant.includes(pair) && onlyMovesBulk(pair) === wanted),
    );
    await Promise.all([
      warmUpNear(),
      ...(settling ?? []).map((pair) => warmUp(pair, far)),
      ...(sharing ?? []).map((pair) => pair.ask<WarmUpAnswer>({ ask: "warmUp", rule: together })),
    ]);
  };
  await Promise.all([...early.map(prepareEarly), prepareLate()]);
  verifyAnswers(measured, answers);
  const msOf = ({ configuration: { id } }: Arm): number => aloneMs.get(id) ?? Number.NaN;
  // Under a load calls do not follow each other.
  const isKnown = measured.every((arm) => !isUnderLoad(arm) && Number.isFinite(msOf(arm)));
  return { msPerCall: isKnown ? msOf : undefined };
}
