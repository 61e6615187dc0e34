// One part of a round: the server and client of every configuration of every stack start anew (a target's client alone), answer alike, warm
// up, and run their blocks.
import type { JsonObject } from "@bufbuild/protobuf";
import { setTimeout } from "node:timers/promises";
import type { Arm } from "./arm.ts";
import { gapBetween, isFar, mayWarmUpBeside, waitsBetweenCalls } from "./far-pairs.ts";
import { lineByLine, onlyMovesBulk } from "./line-by-line.ts";
import { warmUpRules, type WarmUpRule } from "./measure/warm-up.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { paceOf } from "./pace/load.ts";
import { Pair, type PairSettings } from "./pair.ts";
import type { Child } from "./processes/child.ts";
import type { Placement } from "./processes/cores.ts";
import type { AnswersAnswer, BlockAnswer, FirstCallAnswer, WarmUpAnswer } from "./processes/messages.ts";
import { RunnerError } from "./runner-error.ts";
import { shuffled, seedOf, type ScheduledBlock } from "./schedule.ts";
import type { RoundLog } from "./round-log.ts";
import { unlessAborted } from "./unless-aborted.ts";
import { verifyAnswers } from "./verify-answers.ts";

/** What stays the same in every round. */
export interface RoundSettings extends PairSettings {
  readonly seed: number;
  /** How long all pairs of a round call at once before each settles alone. */
  readonly warmUpMs: number;
  readonly signal: AbortSignal;
}

/** What differs from round to round, and from part to part. */
export interface PartPlan {
  readonly round: number;
  readonly arms: readonly Arm[];
  readonly schedule: readonly ScheduledBlock[];
  /** How many blocks of the round the parts before had. */
  readonly firstBlock: number;
  readonly placement: Placement;
}

/** Called between blocks of a part, never during one. Returning false ends the round early. */
export type OnProgress = (blocksDone: number) => boolean;

/** A pair of processes has one first call to give: the studies that want one take it in turn, each with its first arm. */
function firstCalled(arms: readonly Arm[], round: number): Arm | undefined {
  const wanting = arms.filter(({ takesFirstCall }) => takesFirstCall);
  const studies = [...new Set(wanting.map((arm) => arm.study))];
  return wanting.find((arm) => arm.study === studies[round % studies.length]);
}

/** Starts everything, takes first calls apart, compares answers and warms up. */
async function prepare(
  pairs: readonly Pair[],
  settings: RoundSettings,
  { round, arms: measured, placement }: PartPlan,
  log: RoundLog,
): Promise<void> {
  await Promise.all(pairs.map((pair) => pair.start()));
  for (const pair of pairs) pair.place(placement);

  const answers = new Map<string, JsonObject>();
  for (const pair of pairs) {
    const arm = firstCalled(pair.arms, round);
    if (arm === undefined) continue;
    const first = await pair.ask<FirstCallAnswer>({ ask: "firstCall", armId: arm.id });
    if (first.outcome !== "OK") {
      const code = first.outcome === "UNAVAILABLE" ? "no-answer" : "answers-differ";
      throw new RunnerError(
        code,
        `the first ${pair.configuration.id} call ended with ${first.outcome}; no number is given`,
      );
    }
    log.firstCalls.push({ armId: arm.id, round, firstCallMs: first.firstCallMs });
  }

  await lineByLine(pairs, async (pair) => {
    // Arms of one task share their setup: each step is done once.
    const steps = [...new Set(pair.arms.flatMap(({ setup }) => setup))];
    await pair.ask<null>({ ask: "setup", steps });
    const answered = await pair.ask<AnswersAnswer>({ ask: "answers" });
    log.responsesCompared += answered.responses;
    for (const [armId, answer] of Object.entries(answered.answers)) answers.set(armId, answer);
  });
  verifyAnswers(measured, answers);

  // Nothing is timed yet: what one pair leaves idle of the two cores, another may use to get its code compiled.
  const { together, alone, far } = warmUpRules(settings.warmUpMs);
  const warmUp = async (pair: Pair, rule: WarmUpRule): Promise<void> => {
    const { calls, elapsedMs, settled } = await pair.ask<WarmUpAnswer>({ ask: "warmUp", rule });
    const { stack, settings: given } = pair.configuration;
    const held = Object.keys(given).length === 0 ? {} : { settings: given };
    log.warmUps.push({ stack, ...held, round, calls, elapsedMs, settled });
  };
  const distant = pairs.filter(({ arms }) => arms.every(mayWarmUpBeside));
  // Transfers have been made once, which is what their connections need; settling takes them longer than measuring.
  const near = pairs.filter((pair) => !distant.includes(pair) && !onlyMovesBulk(pair));
  const warmUpNear = async (): Promise<void> => {
    await Promise.all(near.map((pair) => pair.ask<WarmUpAnswer>({ ask: "warmUp", rule: together })));
    for (const pair of near) await warmUp(pair, alone);
  };
  await Promise.all([warmUpNear(), ...distant.map((pair) => warmUp(pair, far))]);
}

/** A block in which no call found its server is told as what it is: a server that has gone. */
function requireServer({ rows, outcomes }: BlockAnswer, { title, target }: Arm): void {
  const isGone = rows.outcome.length > 0 && rows.outcome.every((outcome) => outcomes[outcome] === "UNAVAILABLE");
  if (!isGone) return;
  throw new RunnerError("no-answer", `${title}${target === undefined ? "" : ` at ${target}`} no longer answers`);
}

/**
 * Runs the blocks in their order: first those of pairs that are near, one at a time, then those of pairs that are far apart, one at a time
 * of each pair. Resolves to false when the round ended early: by the caller, or in a block by the signal.
 */
async function runBlocks(
  pairs: readonly Pair[],
  { round, schedule, firstBlock }: PartPlan,
  { seed, signal }: Pick<RoundSettings, "seed" | "signal">,
  log: RoundLog,
  onProgress: OnProgress,
): Promise<boolean> {
  const pairOf = new Map(pairs.map((pair) => [pair.configuration.id, pair]));
  const alone = oneAtATime();
  let begun = 0;
  const measure = async (pair: Pair, { arm, tasks, turn }: ScheduledBlock, index: number): Promise<boolean> => {
    if (arm.plan.idleMs === 0 && !(await unlessAborted(pair.ask({ ask: "use", armId: arm.id }), signal))) return false;
    const pace = arm.pacing === undefined ? undefined : paceOf(arm.pacing, tasks, { seed, round, turn });
    const before = await pair.serverCpuMs();
    const block = pair.ask<BlockAnswer>({ ask: "block", armId: arm.id, tasks, pace });
    // A block may last as long as its server likes: what it had of it when somebody interrupts is let go.
    if (!(await unlessAborted(block, signal))) return false;
    const answer = await block;
    requireServer(answer, arm);
    const after = await pair.serverCpuMs();
    const serverCpuMs = before === null || after === null ? null : after - before;
    log.addBlock({ armId: arm.id, block: firstBlock + index, tasks, serverCpuMs }, answer);
    return true;
  };
  const inTurn = async (blocks: readonly ScheduledBlock[]): Promise<boolean> => {
    for (const block of blocks) {
      const { arm } = block;
      const pair = pairOf.get(arm.configuration.id);
      const index = begun;
      if (pair === undefined || !onProgress(index)) return false;
      begun += 1;
      if (arm.plan.idleMs !== undefined && !(await unlessAborted(setTimeout(arm.plan.idleMs), signal))) return false;
      const work = (): Promise<boolean> => measure(pair, block, index);
      if (!(await (waitsBetweenCalls(arm) ? alone(work) : work()))) return false;
    }
    return true;
  };
  const [near, far] = [false, true].map((wanted) => schedule.filter(({ arm }) => isFar(arm) === wanted));
  if (!(await inTurn(near ?? []))) return false;
  const lanes = [...Map.groupBy(far ?? [], ({ arm }) => arm.configuration.id).values()];
  const gapMs = gapBetween(lanes.flatMap(([first]) => first?.arm ?? []));
  const ended = await Promise.all(
    lanes.map(async (blocks, place) => {
      await setTimeout(place * gapMs);
      return inTurn(blocks);
    }),
  );
  return ended.every((isWhole) => isWhole);
}

const lastWordsMs = 250;

/** A call fails before the runner hears that its server has gone: then it is the server's end that is to be told. */
async function rootCause(thrown: unknown, children: readonly Child[]): Promise<unknown> {
  if (thrown instanceof RunnerError && thrown.code === "process-died") return thrown;
  const ends = await Promise.all(children.map((child) => child.ended(lastWordsMs)));
  return ends.find((end) => end !== undefined) ?? thrown;
}

/**
 * Runs one part of a round and keeps a log of it. Resolves to true when it is complete, to false when it was ended early: between blocks by the
 * caller, at once by the signal. Rejects with a RunnerError; its processes are gone in any case.
 */
export async function runPart(
  settings: RoundSettings,
  plan: PartPlan,
  log: RoundLog,
  onProgress: OnProgress,
): Promise<boolean> {
  const { round, arms: measured } = plan;
  settings.links.lost.throwIfAborted();
  const sharing = [...Map.groupBy(measured, (arm) => arm.configuration.id).values()];
  // Launch order is random too: a fixed one has been seen to favour the first.
  const pairs = shuffled(sharing, seedOf(settings.seed, round, -1)).flatMap((arms) =>
    arms.slice(0, 1).map(({ configuration }) => new Pair(configuration, arms, settings)),
  );
  const children = pairs.flatMap(({ processes }) => processes);
  // Calls over a network that has gone would wait for their limit: nothing else tells a client.
  const { lost } = settings.links;
  const onLost = (): void => children.forEach((child) => child.kill());
  lost.addEventListener("abort", onLost, { once: true });
  try {
    const prepared = await unlessAborted(prepare(pairs, settings, plan, log), settings.signal);
    if (!prepared) return false;
    return await runBlocks(pairs, plan, settings, log, onProgress);
  } catch (thrown) {
    // A network that goes takes calls and processes along, and may be the last of them to be heard of.
    if (!lost.aborted && settings.links.facts.length > 0) await setTimeout(lastWordsMs);
    const cause: unknown = lost.aborted ? lost.reason : await rootCause(thrown, children);
    // Who interrupts a run ends its processes too, if they have not learnt to ignore it yet.
    if (settings.signal.aborted) return false;
    throw cause;
  } finally {
    lost.removeEventListener("abort", onLost);
    await Promise.all(pairs.map((pair) => pair.stop(settings.signal.aborted)));
  }
}
