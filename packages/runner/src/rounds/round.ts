// One part of a round: the server and client of every configuration of every stack start anew (a target's client alone), answer alike, warm
// up, and run their blocks.
import { setTimeout } from "node:timers/promises";
import { gapBetween, isFar, waitsBetweenCalls } from "./far-pairs.ts";
import { limitConcurrency } from "./limit-concurrency.ts";
import { lastWordsMs, LostEnds } from "./lost-ends.ts";
import { BlockCounters } from "../evidence/block-counters.ts";
import { ProcessPair } from "../pair/process-pair.ts";
import type { Engine } from "./engine.ts";
import type { PartPlan, PartControl } from "./parts-of-round.ts";
import { preparePart, type PreparationSettings } from "./prepare-part.ts";
import { measureBlock, type PartUnderWay } from "./measure-block.ts";
import { Repetitions } from "./repetitions.ts";
import { ClientProcesses } from "../processes/client-processes.ts";
import type { MeasuredProcess } from "../processes/measured-server.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { seedOf, shuffled } from "../basics/seeded-order.ts";
import type { ScheduledBlock } from "./schedule.ts";
import type { RoundLog } from "../run-directory/round-log.ts";
import { unlessAborted } from "../basics/unless-aborted.ts";

/** What stays the same in every round. */
export interface RoundSettings extends PreparationSettings {
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Who makes the load of blocks; undefined for the clients that have warmed up. */
  readonly engine?: Engine | undefined;
}

/**
 * Runs the blocks in their order: first those of pairs that are near, one at a time, then those of pairs that are far apart, one at a time
 * of each pair. Resolves to false when the round ended early: by the caller, or in a block by the signal.
 */
async function runBlocks(pairs: readonly ProcessPair[], part: PartUnderWay): Promise<boolean> {
  const { plan, control, signal } = part;
  const { schedule, firstBlock } = plan;
  const pairOf = new Map(pairs.map((pair) => [pair.configuration.id, pair]));
  const alone = limitConcurrency(1);
  let begun = 0;
  const inTurn = async (blocks: readonly ScheduledBlock[]): Promise<boolean> => {
    for (const block of blocks) {
      const { arm } = block;
      const pair = pairOf.get(arm.configuration.id);
      const index = begun;
      if (control.isLeftOut(arm)) continue;
      if (pair === undefined || !control.mayBegin(index)) return false;
      begun += 1;
      const beganAt = performance.now();
      if (arm.plan.idleMs !== undefined && !(await unlessAborted(setTimeout(arm.plan.idleMs), signal))) return false;
      const work = (): Promise<boolean> => measureBlock(pair, block, { block: firstBlock + index, beganAt }, part);
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

/** Before anything is timed, the end of a server ends the run: report it instead of the call that failed because of it. */
async function rootCause(thrown: unknown, children: readonly MeasuredProcess[]): Promise<unknown> {
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
  part: Omit<PartPlan, "schedule">,
  log: RoundLog,
  control: PartControl,
): Promise<boolean> {
  const { round, arms: measured } = part;
  settings.links.lost.throwIfAborted();
  const sharing = [...Map.groupBy(measured, (arm) => arm.configuration.id).values()];
  // Launch order is random too: a fixed one has been seen to favour the first.
  const clients = new ClientProcesses();
  const pairs = shuffled(sharing, seedOf(settings.seed, round, -1)).flatMap((arms) =>
    arms.slice(0, 1).map(({ configuration }) => new ProcessPair(configuration, arms, settings, clients)),
  );
  const children = (): readonly MeasuredProcess[] => pairs.flatMap(({ processes }) => processes);
  // Calls over a lost network would wait for their limit, because nothing else ends them.
  const { lost } = settings.links;
  const lostEnds = new LostEnds(round, settings.links);
  const onLost = (): void => children().forEach((child) => child.kill());
  lost.addEventListener("abort", onLost, { once: true });
  try {
    const preparing = preparePart(pairs, settings, part, log);
    if (!(await unlessAborted(preparing, settings.signal))) return false;
    const plan = { ...part, schedule: control.schedule(await preparing) };
    log.clock.enter("blocksMs");
    const { engine, seed, signal } = settings;
    if (engine !== undefined) return await engine.runBlocks({ plan, seed, pairs, log, control, signal });
    const repetitions = new Repetitions(plan.schedule.length);
    return await runBlocks(pairs, {
      plan,
      seed,
      signal,
      lost: lostEnds,
      counters: new BlockCounters(),
      repetitions,
      log,
      control,
    });
  } catch (thrown) {
    // A lost network also ends calls and processes, and may be reported after them.
    if (!lost.aborted && settings.links.facts.length > 0) await setTimeout(lastWordsMs);
    const cause: unknown = lost.aborted ? lost.reason : await rootCause(thrown, children());
    // Interrupting a run may also end its processes, and their end may be reported before the signal.
    if (!(await unlessAborted(setTimeout(lastWordsMs), settings.signal))) return false;
    throw cause;
  } finally {
    log.clock.enter("endingMs");
    lost.removeEventListener("abort", onLost);
    log.warnings.push(...lostEnds.warnings());
    await Promise.all(pairs.map((pair) => pair.stop(settings.signal.aborted)));
  }
}
