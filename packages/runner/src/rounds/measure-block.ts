// Measures one block: reads the counters before and after its calls, and notes what disturbed it.
import type { Disturbance } from "@roundtrip/analysis";
import type { PlannedArm } from "../study/planned-arm.ts";
import type { BlockCounters, BlockSetting } from "../evidence/block-counters.ts";
import { paceOf } from "../pace/load.ts";
import { isUnderLoad, type ProcessPair } from "../pair/process-pair.ts";
import type { BlockAnswer } from "../processes/messages.ts";
import type { BlockFacts, RoundLog } from "../run-directory/round-log.ts";
import { unlessAborted } from "../basics/concurrency.ts";
import { disturbanceOf, isVoid } from "./disturbance.ts";
import type { EndedProcesses } from "./ended-processes.ts";
import type { PartPlan, PartControl } from "./parts-of-round.ts";
import type { ScheduledBlock } from "./schedule.ts";

export interface PartUnderWay {
  readonly plan: PartPlan;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly lost: EndedProcesses;
  readonly counters: BlockCounters;
  readonly log: RoundLog;
  readonly control: PartControl;
}

/** The first use opens a window that has shrunk, and its last flight does not fill it; only the second leaves a full window for all. */
const usesBefore = 2;

/** Sequential small calls are one packet each: over a link without loss, the kernel's statistics of their connection add nothing to a result. */
function canFillWindow(arm: PlannedArm): boolean {
  return arm.needs.includes("bulk") || isUnderLoad(arm) || (arm.configuration.link?.loss ?? 0) > 0;
}

/** What runs beside a block: an emulated network, and other pairs that wait at the same time. */
function settingOf({ configuration, plan }: PlannedArm, { placement }: PartPlan): BlockSetting {
  return {
    isAlone: configuration.link === undefined && plan.idleMs === undefined,
    sharesCore: placement.server === undefined,
  };
}

interface Attempt {
  readonly facts: BlockFacts;
  readonly answer: BlockAnswer;
  readonly disturbance: Disturbance | undefined;
}

/** The outcome of a block: `ended` if the run was interrupted, `left-out` if one of its processes has ended. */
type Outcome = Attempt | "ended" | "left-out";

async function attempt(
  pair: ProcessPair,
  { arm, tasks, turn }: ScheduledBlock,
  block: number,
  { plan, seed, signal, lost, counters }: PartUnderWay,
): Promise<Outcome> {
  if (await lost.leaveOut(pair)) return "left-out";
  for (let use = 0; arm.plan.idleMs === 0 && use < usesBefore; use += 1) {
    if (!(await unlessAborted(pair.ask({ ask: "use", armId: arm.id }), signal))) return "ended";
  }
  const pace = arm.pacing === undefined ? undefined : paceOf(arm.pacing, tasks, { seed, round: plan.round, turn });
  await pair.watch();
  const setting = settingOf(arm, plan);
  const before = await pair.serverCpuMs();
  const readCounters = counters.open(pair.pids, setting);
  const calls = lost.blockUnlessClientKilled(pair, pair.ask<BlockAnswer>({ ask: "block", armId: arm.id, tasks, pace }));
  // A block may last as long as its server takes. If it is interrupted, its calls are dropped.
  if (!(await unlessAborted(calls, signal))) return "ended";
  const answer = await calls;
  if (answer === undefined) return "left-out";
  const kernel = readCounters();
  const after = await pair.serverCpuMs();
  const hasGone = await lost.hasServerEnded(pair, arm, answer);
  // Less than before: a part of it was lost with a thread or process that ended.
  const serverCpuMs = before === null || after === null || hasGone || after < before ? null : after - before;
  const server = await pair.watched();
  // Reading it takes time, so it is read once per round.
  const tcp = turn === 0 && canFillWindow(arm) ? await pair.tcp() : undefined;
  const measured = { ...answer, ...kernel, serverCpuMs, ...(server && { server }) };
  const disturbance = hasGone ? undefined : disturbanceOf(measured, setting.isAlone);
  const facts = { armId: arm.id, block, tasks, serverCpuMs, server, tcp, kernel, disturbance };
  return { facts, answer, disturbance };
}

/** Calls that failed are never void: they must be reported. */
function hasFailed({ answer }: Attempt): boolean {
  return answer.rows.outcome.some((outcome) => outcome !== 0);
}

function lostMs({ disturbance }: Attempt): number {
  return disturbance?.lostMs ?? 0;
}

/**
 * Measures a block, and once more if a process stood still for a second: the measurement that lost less counts, the other is void. Any other
 * disturbance is noted in the facts of the block. False if the run was interrupted.
 */
export async function measureBlock(
  pair: ProcessPair,
  scheduled: ScheduledBlock,
  block: number,
  part: PartUnderWay,
): Promise<boolean> {
  const { arm } = scheduled;
  let outcome = await attempt(pair, scheduled, block, part);
  let kept = typeof outcome === "object" ? outcome : undefined;
  // A block with an idle time is not repeated, because it would have to wait again.
  const mayRepeat = arm.plan.idleMs === undefined && !part.signal.aborted;
  if (
    kept !== undefined &&
    mayRepeat &&
    !hasFailed(kept) &&
    isVoid(kept.disturbance, arm.pacing?.pacer.loop === "open")
  ) {
    outcome = await attempt(pair, scheduled, block, part);
    if (typeof outcome === "object") {
      const isBetter = hasFailed(outcome) || lostMs(outcome) < lostMs(kept);
      const [better, worse] = isBetter ? [outcome, kept] : [kept, outcome];
      part.log.addVoidBlock(worse.facts, worse.answer);
      kept = better;
    }
  }
  if (kept !== undefined) part.log.addBlock(kept.facts, kept.answer);
  return outcome !== "ended";
}
