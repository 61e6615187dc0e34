// Measures one block: reads the counters before and after its calls, and decides whether something kept its processes from running, so that it is
// measured again. It uses the counters of the kernel and of the processes, never the duration of calls, so that no arm is measured again for being slow.
import type { Block, Disturbance, ProcessEvidence } from "@roundtrip/runs";
import { unlessAborted } from "../basics/concurrency.ts";
import type { BlockCounters, BlockSetting } from "../evidence/block-counters.ts";
import { tickMs } from "../lifetime/session-processes.ts";
import { paceOf } from "../pace/load.ts";
import type { BlockAnswer } from "../processes/messages.ts";
import type { EndedProcesses } from "./ended-processes.ts";
import type { PartControl, PartPlan, ScheduledBlock } from "./schedule.ts";
import { isUnderLoad, type ProcessPair } from "./process-pair.ts";
import type { BlockFacts, RoundLog } from "../run-directory/round-log.ts";
import type { PlannedArm } from "../study/planned-arm.ts";

/** A block that loses a larger share of its time is disturbed. */
const mostLostShare = 0.1;

/** A scheduler or a reading may take this long, however short the block is. */
const leastLostMs = 1;

/** Shorter waits may be for the system: a file, a page of memory. */
const leastStillMs = 100;

/** A process that stands still for this long makes the block void, whatever its length. */
const leastVoidMs = 1_000;

export type Disturbed = Pick<
  Block,
  "elapsedMs" | "serverCpuMs" | "clientCpuMs" | "server" | "client" | "serverLostMs" | "clientLostMs" | "machine"
>;

/** How long a due timer of a process was late while the process neither computed nor was ready to; garbage collection is computing. */
function stillMs(evidence: ProcessEvidence | undefined, cpuMs: number | null, lostMs = 0): number {
  const longestMs = evidence?.loopDelayMaxMs ?? 0;
  return cpuMs === null ? 0 : Math.max(0, longestMs - cpuMs - lostMs);
}

/**
 * The worst disturbance of a block; undefined if none took more than a tenth of its time, and no process stood still for a second.
 * @param isAlone false beside an emulated network, or other pairs: the run itself may keep a process from a core
 */
export function disturbanceOf(block: Disturbed, isAlone = true): Disturbance | undefined {
  const { elapsedMs, serverCpuMs, clientCpuMs, serverLostMs = 0, clientLostMs = 0, machine } = block;
  const stillOf = {
    server: stillMs(block.server, serverCpuMs, serverLostMs),
    client: stillMs(block.client, clientCpuMs, clientLostMs),
  };
  // If both stood still, the machine did.
  const leastStill = Math.min(stillOf.server, stillOf.client);
  // Counted in whole ticks; the last one may be almost empty.
  const stolenMs = Math.max(0, (machine?.mostStolenMs ?? 0) - tickMs);
  // The kernel counts waiting for a control group's next period as waiting for a core.
  const kindOf = (lostMs: number): Disturbance["kind"] =>
    2 * (machine?.throttledMs ?? 0) >= lostMs && lostMs > 0 ? "throttled" : "lost-core";
  const lost: readonly Disturbance[] = [
    { kind: kindOf(serverLostMs), process: "server", lostMs: serverLostMs },
    { kind: kindOf(clientLostMs), process: "client", lostMs: clientLostMs },
    { kind: "steal", lostMs: stolenMs },
  ];
  const still: readonly Disturbance[] = [
    { kind: "stood-still", lostMs: leastStill },
    { kind: "stood-still", process: "server", lostMs: stillOf.server },
    { kind: "stood-still", process: "client", lostMs: stillOf.client },
  ];
  const share = mostLostShare * elapsedMs;
  const beyond = [
    ...still.filter(({ lostMs }) => lostMs > Math.min(leastVoidMs, Math.max(share, leastStillMs))).slice(0, 1),
    ...lost.filter(({ lostMs }) => isAlone && lostMs > Math.max(share, leastLostMs)),
  ];
  return beyond.toSorted((a, b) => b.lostMs - a.lostMs)[0];
}

/**
 * Whether to measure a block again: only after a standstill of a second or more. Any limit that depends on the length of a block would clean short
 * blocks more often than long ones, and bend their ratio (docs/decisions/0205). @param isOpenLoop callers would have met the standstill too
 */
export function isVoid(disturbance: Disturbance | undefined, isOpenLoop: boolean): boolean {
  return disturbance?.kind === "stood-still" && disturbance.lostMs >= leastVoidMs && !isOpenLoop;
}

export interface PartUnderWay {
  readonly plan: PartPlan;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly lost: EndedProcesses;
  readonly counters: BlockCounters;
  readonly log: RoundLog;
  readonly control: PartControl;
}

/**
 * How often an arm's connection is used right before its block. The first use opens a window that has shrunk, and its last flight does not fill it;
 * only the second leaves a full window for all. A window that does not shrink was opened by the answer that was compared.
 */
function usesBefore({ plan, configuration: { link } }: PlannedArm): number {
  if (plan.idleMs !== 0) return 0;
  return link?.slowStartAfterIdle === false ? 1 : 2;
}

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
  for (let uses = usesBefore(arm); uses > 0; uses -= 1) {
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

function lostIn({ disturbance }: Attempt): number {
  return disturbance?.lostMs ?? 0;
}

/** Measures a block, and once more after a standstill of a second: the one that lost less counts, the other is void. False if interrupted. */
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
      const isBetter = hasFailed(outcome) || lostIn(outcome) < lostIn(kept);
      const [better, worse] = isBetter ? [outcome, kept] : [kept, outcome];
      part.log.addVoidBlock(worse.facts, worse.answer);
      kept = better;
    }
  }
  if (kept !== undefined) part.log.addBlock(kept.facts, kept.answer);
  return outcome !== "ended";
}
