// Lays a round out in time: its blocks, in the order that the runner gave them, as cells that begin at moments known before.
import { paceOf, type ScheduledBlock } from "@roundtrip/runner/parts";
import type { K6Arms } from "./k6-arms.ts";
import type { K6Arm, K6Cell, K6Plan } from "./k6-plan.ts";
import { sealed } from "./plan-file.ts";
import { virtualUsersFor } from "./virtual-users.ts";
import { wholeMicroseconds } from "./whole-microseconds.ts";

/** How much time cells are given. What is done sooner leaves the rest of it unused: nothing is known of it when the plan is made. */
export interface CellTiming {
  /** For connecting, and the task that each virtual user does unmeasured: for itself, and for each call of these. */
  readonly leadMs: number;
  readonly leadMsPerCall: (block: ScheduledBlock) => number;
  /** How long the calls of a block may take in all, beside its schedule or its pauses. */
  readonly callsMsOf: (block: ScheduledBlock) => number;
  /** What may still be on its way then. */
  readonly roomMs: number;
}

export interface RoundToPlan {
  readonly prepared: Pick<K6Arms, "arms" | "servers" | "requests">;
  /** Blocks of arms that k6 cannot do are passed over; the others keep their numbers. */
  readonly schedule: readonly ScheduledBlock[];
  readonly seed: number;
  readonly round: number;
  /** How many blocks of the round came before the schedule's first. */
  readonly firstBlock: number;
  readonly contractHash: string;
  readonly timing: CellTiming;
}

/** Before the first cell: every instance has come to its virtual users by then. */
const firstStartMs = 500;

/** For servers that are anywhere, where a call takes no longer than this on average, with as many at a time as there are callers. */
export function patientTiming(callMs: number): CellTiming {
  return {
    leadMs: 300,
    leadMsPerCall: () => callMs,
    callsMsOf: ({ arm, tasks }) => Math.ceil(tasks / arm.callers) * arm.callsPerTask * callMs,
    roomMs: 1_000,
  };
}

function cellOf(
  block: ScheduledBlock,
  { steps }: K6Arm,
  place: Pick<K6Cell, "name" | "block" | "startsMs">,
  { seed, round, timing }: Pick<RoundToPlan, "seed" | "round" | "timing">,
): K6Cell {
  const { arm, tasks, turn } = block;
  const { leadMs, leadMsPerCall, callsMsOf, roomMs } = timing;
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
    mostMs: Math.ceil((arrivalsMs?.at(-1) ?? pausing) + callsMsOf(block) + roomMs),
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
