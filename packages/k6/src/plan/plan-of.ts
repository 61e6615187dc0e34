// Schedules a round: turns its blocks, in the runner's order, into cells that begin at known times.
import { paceOf, type ScheduledBlock } from "@roundtrip/runner/parts";
import type { K6Arms } from "./k6-arms.ts";
import type { K6Arm, K6Cell, K6Plan } from "./k6-plan.ts";
import { sealed } from "./plan-file.ts";

/** The longest task that does not delay others. */
const longestTaskMs = 250;

/** Each takes memory and a connection. This many are enough to show a queue at the server. */
const mostVirtualUsers = 500;

/** Spare virtual users that wait for arrivals: a few for each instance. */
const waiting = 8;

/** The most arrivals within {@link longestTaskMs} of an ascending schedule, and some spare ones; at most one for each task. */
export function virtualUsersFor(arrivalsMs: readonly number[], mostInFlight: number): number {
  let most = 0;
  let first = 0;
  arrivalsMs.forEach((atMs, index) => {
    while (atMs - (arrivalsMs[first] ?? atMs) > longestTaskMs) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return Math.max(1, Math.min(most + waiting, mostVirtualUsers, mostInFlight, arrivalsMs.length));
}

/** How much time to reserve for cells. Time that a cell does not use stays idle, because the plan is made before. */
export interface CellTiming {
  /** For connecting and the unmeasured task of each virtual user: once, and for each call. */
  readonly leadMs: number;
  readonly leadMsPerCall: (block: ScheduledBlock) => number;
  /** How long all calls of a block may take, in addition to its schedule or pauses. */
  readonly callsMsOf: (block: ScheduledBlock) => number;
  /** For answers that are still on their way. */
  readonly marginMs: number;
}

export interface RoundToPlan {
  readonly prepared: Pick<K6Arms, "arms" | "servers" | "requests">;
  /** Blocks of arms that k6 does not support are skipped; the others keep their numbers. */
  readonly schedule: readonly ScheduledBlock[];
  readonly seed: number;
  readonly round: number;
  /** The number of blocks of the round before the schedule's first. */
  readonly firstBlock: number;
  readonly contractHash: string;
  readonly timing: CellTiming;
}

/** Time before the first cell in which every instance creates its virtual users. */
const firstStartMs = 500;

/** For servers anywhere. @param callMs the longest mean time of a call with all callers at work. */
export function patientTiming(callMs: number): CellTiming {
  return {
    leadMs: 300,
    leadMsPerCall: () => callMs,
    callsMsOf: ({ arm, tasks }) => Math.ceil(tasks / arm.callers) * arm.callsPerTask * callMs,
    marginMs: 1_000,
  };
}

/** Milliseconds, rounded to whole microseconds: no generator is more precise. */
function wholeMicroseconds(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

function cellOf(
  block: ScheduledBlock,
  { steps }: K6Arm,
  place: Pick<K6Cell, "name" | "block" | "startsMs">,
  { seed, round, timing }: Pick<RoundToPlan, "seed" | "round" | "timing">,
): K6Cell {
  const { arm, tasks, turn } = block;
  const { leadMs, leadMsPerCall, callsMsOf, marginMs } = timing;
  const pace = arm.pacing === undefined ? undefined : paceOf(arm.pacing, tasks, { seed, round, turn });
  const arrivalsMs = pace?.loop === "open" ? Array.from(pace.startsMs, wholeMicroseconds) : null;
  const pausesMs = pace?.loop === "closed" ? Array.from(pace.pausesMs, wholeMicroseconds) : null;
  const callers =
    pace?.loop === "open" ? virtualUsersFor(arrivalsMs ?? [], pace.mostInFlight) : Math.min(arm.callers, tasks);
  const pausing = (pausesMs ?? []).reduce((sum, ms) => sum + ms, 0) / callers + Math.max(0, ...(pausesMs ?? []));
  return {
    ...place,
    armId: arm.id,
    tasks,
    callers,
    beginsMs: Math.ceil(place.startsMs + leadMs + leadMsPerCall(block) * callers * steps.length),
    mostMs: Math.ceil((arrivalsMs?.at(-1) ?? pausing) + callsMsOf(block) + marginMs),
    arrivalsMs,
    pausesMs,
  };
}

/** The plan of one round, or of a part of it. */
export function planOf(options: RoundToPlan): K6Plan {
  const { prepared, schedule, seed, round, firstBlock, contractHash, timing } = options;
  const known = new Map(prepared.arms.map((arm) => [arm.facts.id, arm]));
  const cells: K6Cell[] = [];
  let startsMs = firstStartMs;
  schedule.forEach((block, index) => {
    const arm = known.get(block.arm.id);
    if (arm === undefined) return;
    const name = `c${String(cells.length).padStart(4, "0")}`;
    const cell = cellOf(block, arm, { name, block: firstBlock + index, startsMs }, { seed, round, timing });
    cells.push(cell);
    startsMs = cell.beginsMs + cell.mostMs;
  });
  const used = new Set(cells.map(({ armId }) => armId));
  const arms = prepared.arms.filter(({ facts }) => used.has(facts.id));
  const called = new Set(arms.map(({ server }) => server));
  return sealed({
    formatVersion: 1,
    studies: [...new Set(arms.map(({ facts }) => facts.study))],
    seed,
    round,
    contractHash,
    servers: prepared.servers.filter(({ id }) => called.has(id)),
    arms,
    cells,
    requests: prepared.requests,
  });
}
