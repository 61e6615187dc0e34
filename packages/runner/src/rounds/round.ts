// A load generator that runs the blocks instead of this project's client processes. The earlier steps are the same: this project's clients start,
// compare and warm up the servers.
import { setTimeout } from "node:timers/promises";
import type { Environment } from "@roundtrip/runs";
import { limitConcurrency, unlessAborted } from "../basics/concurrency.ts";
import { RunnerError } from "../basics/runner-error.ts";
import { seedOf, shuffled } from "../basics/seeded-order.ts";
import { BlockCounters } from "../evidence/block-counters.ts";
import type { MeasuredProcess } from "../processes/child.ts";
import { EndedProcesses, lossNoticeMs } from "./ended-processes.ts";
import { companyOf, gapBetween, serializePerLink, waitsBetweenCalls } from "./concurrent-pairs.ts";
import { measureBlock, type PartUnderWay } from "./measure-block.ts";
import type { PartControl, PartPlan, ScheduledBlock } from "./schedule.ts";
import type { BlockTime } from "./plan-run.ts";
import { type PreparationSettings, preparePart, verifyCold } from "./prepare-part.ts";
import { ClientProcesses, ProcessPair } from "./process-pair.ts";
import type { RoundLog } from "../run-directory/round-log.ts";
import type { ArmSelection, PlannedArm } from "../study/planned-arm.ts";

/** A part of a round that is ready to be measured. */
export interface EnginePart {
  readonly plan: PartPlan;
  readonly seed: number;
  /** Warmed up; none is replaced until the part ends. */
  readonly pairs: readonly ProcessPair[];
  readonly log: RoundLog;
  readonly control: Pick<PartControl, "mayBegin">;
  readonly signal: AbortSignal;
}

export interface Engine {
  /** The load generators, for the record. */
  readonly generators: NonNullable<Environment["generators"]>;
  /** How long a block takes, for the plan of a run. */
  readonly blockTime: BlockTime;
  /** Keeps the arms that it supports, including those whose rates are still to be searched, with the others by the reason for leaving them out. */
  choose(arms: readonly PlannedArm[]): Promise<ArmSelection>;
  /** Measures the blocks of a part and logs them. Resolves to false if the control or the signal ended it early. */
  runBlocks(part: EnginePart): Promise<boolean>;
}

export interface RoundSettings extends PreparationSettings {
  readonly seed: number;
  readonly signal: AbortSignal;
  /** The load generator; undefined for the clients that have warmed up. */
  readonly engine?: Engine | undefined;
}

/** Runs the blocks that are measured alone, then those that have company, one at a time per pair. False if the caller, or the signal, ended it early. */
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
      if (pair === undefined || !control.mayBegin(index)) return false;
      begun += 1;
      if (arm.plan.idleMs !== undefined && !(await unlessAborted(setTimeout(arm.plan.idleMs), signal))) return false;
      const work = (): Promise<boolean> => measureBlock(pair, block, firstBlock + index, part);
      if (!(await (waitsBetweenCalls(arm) ? alone(work) : work()))) return false;
    }
    return true;
  };
  const beside = Map.groupBy(schedule, ({ arm }) => companyOf(arm));
  if (!(await inTurn(beside.get("none") ?? []))) return false;
  const inCompany = async (company: "waiting" | "transferring"): Promise<boolean> => {
    const blocksOf = Map.groupBy(beside.get(company) ?? [], ({ arm }) => pairOf.get(arm.configuration.id));
    const gapMs = gapBetween([...blocksOf.values()].flatMap(([first]) => first?.arm ?? []));
    const taken = pairs.filter((pair) => blocksOf.has(pair));
    let areWhole = true;
    const work = async (pair: ProcessPair): Promise<void> => {
      await setTimeout(taken.indexOf(pair) * gapMs);
      areWhole = (await inTurn(blocksOf.get(pair) ?? [])) && areWhole;
    };
    await (company === "transferring" ? serializePerLink(taken, work) : Promise.all(taken.map(work)));
    return areWhole;
  };
  return (await inCompany("waiting")) && (await inCompany("transferring"));
}

/** Before anything is timed, the end of a server ends the run: report it instead of the call that failed because of it. */
async function rootCause(thrown: unknown, children: readonly MeasuredProcess[]): Promise<unknown> {
  if (thrown instanceof RunnerError && thrown.code === "process-died") return thrown;
  const ends = await Promise.all(children.map((child) => child.ended(lossNoticeMs)));
  return ends.find((end) => end !== undefined) ?? thrown;
}

/** Runs a part of a round and logs it. False if the caller ended it between blocks, or the signal. Rejects with a RunnerError. No process stays. */
export async function runPart(
  settings: RoundSettings,
  part: Omit<PartPlan, "schedule">,
  log: RoundLog,
  control: PartControl,
): Promise<boolean> {
  const { round, arms: measured } = part;
  settings.links.lost.throwIfAborted();
  const sharing = [...Map.groupBy(measured, (arm) => arm.configuration.id).values()];
  // Launch order is random too, because a fixed one has been seen to favour the first.
  const clients = new ClientProcesses();
  const pairs = shuffled(sharing, seedOf(settings.seed, round, -1)).flatMap((arms) =>
    arms.slice(0, 1).map(({ configuration }) => new ProcessPair(configuration, arms, settings, clients)),
  );
  const children = (): readonly MeasuredProcess[] => pairs.flatMap(({ processes }) => processes);
  // Calls over a lost network would wait for their limit, because nothing else ends them.
  const { lost } = settings.links;
  const endedProcesses = new EndedProcesses(round, settings.links);
  const onLost = (): void => children().forEach((child) => child.kill());
  lost.addEventListener("abort", onLost, { once: true });
  try {
    const preparing = preparePart(pairs, settings, part, log);
    if (!(await unlessAborted(preparing, settings.signal))) return false;
    const plan = { ...part, schedule: control.schedule(await preparing) };
    log.clock.enter("blocksMs");
    const { engine, seed, signal } = settings;
    if (engine !== undefined) return await engine.runBlocks({ plan, seed, pairs, log, control, signal });
    const heldBy = new Map(pairs.map((pair) => [pair.configuration.id, pair.memory()]));
    const counters = new BlockCounters();
    if (!(await runBlocks(pairs, { plan, seed, signal, lost: endedProcesses, counters, log, control }))) return false;
    log.clock.enter("endingMs");
    await verifyCold(pairs, log);
    const measuredArms = Map.groupBy(new Set(plan.schedule.map(({ arm }) => arm)), (arm) => arm.configuration.id);
    await Promise.all(
      [...measuredArms].map(async ([id, arms]) => {
        const held = await heldBy.get(id)?.();
        if (held !== undefined) log.memory.push({ armIds: arms.map((arm) => arm.id), round, ...held });
      }),
    );
    return true;
  } catch (thrown) {
    // A lost network also ends calls and processes, and may be reported after them.
    if (!lost.aborted && settings.links.facts.length > 0) await setTimeout(lossNoticeMs);
    const cause: unknown = lost.aborted ? lost.reason : await rootCause(thrown, children());
    // An interrupt may also end the processes of the run, and their end may be reported before the signal.
    if (!(await unlessAborted(setTimeout(lossNoticeMs), settings.signal))) return false;
    throw cause;
  } finally {
    log.clock.enter("endingMs");
    lost.removeEventListener("abort", onLost);
    log.events.push(...endedProcesses.events());
    await Promise.all(pairs.map((pair) => pair.stop(settings.signal.aborted)));
  }
}
