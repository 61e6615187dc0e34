// From calls to tasks. A task ends when its last call ends; its latency runs from its first intended start to that end.
import { AnalysisError } from "../basics/analysis-error.ts";
import { blockSlots, type BlockSlot, type BlockSlots } from "./block-slots.ts";
import type { Arm, RunFacts, Samples } from "@roundtrip/runs";

interface BlockPosition {
  readonly armId: string;
  readonly round: number;
  readonly block: number;
}

/**
 * Returns the turn of a block: how many blocks its arm ran before it in that round, 0-based. `blocks` must contain every block that ran, even one
 * without answers; otherwise later turns would shift. Duplicates count once. Blocks next to each other in the schedule (the variants of one task on
 * one stack) have the same turn, because each runs once per group.
 */
export function turnsOf(blocks: readonly BlockPosition[]): (place: BlockPosition) => number {
  const positions = new Map<string, Set<number>>();
  for (const { armId, round, block } of blocks) {
    const key = `${round} ${armId}`;
    const known = positions.get(key);
    if (known === undefined) positions.set(key, new Set([block]));
    else known.add(block);
  }
  const ordered = new Map([...positions].map(([key, known]) => [key, [...known].toSorted((a, b) => a - b)]));
  return ({ armId, round, block }) => ordered.get(`${round} ${armId}`)?.indexOf(block) ?? -1;
}

export interface TaskBlock {
  readonly round: number;
  readonly block: number;
  /** How many blocks this arm ran before in this round, answered or not. Blocks of two arms with the same turn are compared. */
  readonly turn: number;
  /** Latency of every fully answered task, in milliseconds, in start order. */
  readonly latenciesMs: Float64Array;
  /** Delay of the same tasks from first intended start to start, in milliseconds. Absent for arms without a load. */
  readonly latenessMs?: Float64Array;
}

type BlockPlace = Pick<TaskBlock, "round" | "block">;

export interface ArmTasks {
  readonly armId: string;
  /** By round, then block, without blocks that have no answer. */
  readonly blocks: readonly TaskBlock[];
  readonly calls: number;
  readonly failedCalls: number;
  readonly failures: ReadonlyMap<string, number>;
  readonly tasks: number;
  readonly failedTasks: number;
  /** Tasks whose last calls were never made, as in an interrupted run: no latency. */
  readonly unfinishedTasks: number;
}

interface Layout {
  readonly offsets: readonly number[];
  readonly size: number;
}

/** Tasks are numbered from 0 in each block. A few may be missing in an interrupted run. Throws `ragged-columns` when most are. */
function layOut(slots: readonly BlockSlot[]): Layout {
  let size = 0;
  const offsets = slots.map(({ round, block, rows, tasks }) => {
    if (tasks > 2 * rows + 1_000) {
      throw new AnalysisError(
        "ragged-columns",
        `round ${round}, block ${block} numbers ${tasks} tasks in ${rows} rows`,
      );
    }
    size += tasks;
    return size - tasks;
  });
  return { offsets, size };
}

function inOrder(one: BlockPlace, other: BlockPlace): number {
  return one.round - other.round || one.block - other.block;
}

/** Throws `not-a-number` or `negative-latency`, naming the row. */
function checkedLatencyNs(samples: Samples, row: number): number {
  const latencyNs = (samples.endedAtNs[row] as number) - (samples.intendedAtNs[row] as number);
  if (!Number.isFinite(latencyNs)) throw new AnalysisError("not-a-number", `row ${row} has no finite start and end`);
  if (latencyNs < 0) throw new AnalysisError("negative-latency", `row ${row} ended before it was to start`);
  return latencyNs;
}

interface TaskColumns {
  readonly beginsNs: Float64Array;
  readonly endsNs: Float64Array;
  /** Undefined where no arm has a load: tasks then start when intended. */
  readonly startsNs: Float64Array | undefined;
  readonly calls: Uint32Array;
  readonly failed: Uint8Array;
  readonly failures: readonly Map<string, number>[];
}

function taskColumns(
  arms: readonly Arm[],
  samples: Samples,
  { slots, slotOfRow }: BlockSlots,
  { offsets, size }: Layout,
): TaskColumns {
  const beginsNs = new Float64Array(size).fill(Infinity);
  const endsNs = new Float64Array(size);
  const startsNs = arms.some(({ load }) => load !== undefined) ? new Float64Array(size).fill(Infinity) : undefined;
  const calls = new Uint32Array(size);
  const failed = new Uint8Array(size);
  const failures = arms.map(() => new Map<string, number>());
  for (let row = 0; row < samples.length; row += 1) {
    checkedLatencyNs(samples, row);
    const slot = slotOfRow[row] as number;
    const task = (offsets[slot] as number) + (samples.task[row] as number);
    beginsNs[task] = Math.min(beginsNs[task] as number, samples.intendedAtNs[row] as number);
    if (startsNs !== undefined) startsNs[task] = Math.min(startsNs[task] as number, samples.startedAtNs[row] as number);
    endsNs[task] = Math.max(endsNs[task] as number, samples.endedAtNs[row] as number);
    calls[task] = (calls[task] as number) + 1;
    const outcome = samples.outcomes[samples.outcome[row] as number];
    if (outcome !== "OK") {
      failed[task] = 1;
      const counts = failures[(slots[slot] as BlockSlot).arm] as Map<string, number>;
      counts.set(outcome ?? "UNKNOWN", (counts.get(outcome ?? "UNKNOWN") ?? 0) + 1);
    }
  }
  return { beginsNs, endsNs, startsNs, calls, failed, failures };
}

type PlacedSlot = BlockSlot & { readonly offset: number };

function armTasks(
  arm: Arm,
  ordered: readonly PlacedSlot[],
  { beginsNs, endsNs, startsNs, calls, failed }: Omit<TaskColumns, "failures">,
  turnOf: (place: BlockPlace & { readonly armId: string }) => number,
): Omit<ArmTasks, "armId" | "failures" | "failedCalls"> {
  const counts = { calls: 0, tasks: 0, failedTasks: 0, unfinishedTasks: 0 };
  // One allocation per arm: a run may have a hundred thousand blocks.
  const allTasks = ordered.reduce((sum, slot) => sum + slot.tasks, 0);
  const allLatenciesMs = new Float64Array(allTasks);
  const allLatenessMs = arm.load === undefined ? undefined : new Float64Array(allTasks);
  let kept = 0;
  const blocks = ordered.flatMap((slot): TaskBlock[] => {
    const begin = kept;
    counts.calls += slot.rows;
    for (let task = slot.offset; task < slot.offset + slot.tasks; task += 1) {
      if (calls[task] === 0) continue;
      counts.tasks += 1;
      if (failed[task] === 1) counts.failedTasks += 1;
      else if ((calls[task] as number) < arm.callsPerTask) counts.unfinishedTasks += 1;
      else {
        allLatenciesMs[kept] = ((endsNs[task] as number) - (beginsNs[task] as number)) / 1e6;
        if (allLatenessMs !== undefined && startsNs !== undefined) {
          allLatenessMs[kept] = ((startsNs[task] as number) - (beginsNs[task] as number)) / 1e6;
        }
        kept += 1;
      }
    }
    if (kept === begin) return [];
    const { round, block } = slot;
    const turn = turnOf({ armId: arm.id, round, block });
    const late = allLatenessMs === undefined ? {} : { latenessMs: allLatenessMs.subarray(begin, kept) };
    return [{ round, block, turn, latenciesMs: allLatenciesMs.subarray(begin, kept), ...late }];
  });
  return { blocks, ...counts };
}

/** Tasks by arm, in the order of `arms`. Linear: about 30 bytes per sample while it works, then 8 bytes per task, 16 under a load. */
export function tasksOf(
  { arms, blocks: blockFacts }: Pick<RunFacts, "arms" | "blocks">,
  samples: Samples,
  placed: BlockSlots = blockSlots(arms, samples),
): readonly ArmTasks[] {
  const { slots } = placed;
  const called = slots.map(({ arm, round, block }) => ({ armId: (arms[arm] as Arm).id, round, block }));
  const rounds = new Set(slots.map(({ round }) => round));
  const turnOf = turnsOf([...blockFacts.filter(({ round }) => rounds.has(round)), ...called]);
  const layout = layOut(slots);
  const { failures, ...columns } = taskColumns(arms, samples, placed, layout);
  const byArm = Map.groupBy(slots.keys(), (slot) => (slots[slot] as BlockSlot).arm);
  return arms.map((arm, index) => {
    const ordered = (byArm.get(index) ?? [])
      .map((slot) => ({ ...(slots[slot] as BlockSlot), offset: layout.offsets[slot] as number }))
      .toSorted(inOrder);
    const counts = failures[index] as Map<string, number>;
    const failedCalls = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return { armId: arm.id, failedCalls, failures: counts, ...armTasks(arm, ordered, columns, turnOf) };
  });
}

/** Joins the tasks of parts of a run. Every round must be whole in one part. */
export function joinTasks(parts: readonly (readonly ArmTasks[])[]): readonly ArmTasks[] {
  const [first = [], ...others] = parts;
  return first.map((arm, index) => {
    const all = [arm, ...others.map((part) => part[index] as ArmTasks)];
    const sum = (count: (tasks: ArmTasks) => number): number => all.reduce((total, tasks) => total + count(tasks), 0);
    const failures = new Map<string, number>();
    for (const part of all)
      for (const [code, count] of part.failures) failures.set(code, (failures.get(code) ?? 0) + count);
    return {
      armId: arm.armId,
      blocks: all.flatMap(({ blocks }) => blocks).toSorted(inOrder),
      calls: sum(({ calls }) => calls),
      failedCalls: sum(({ failedCalls }) => failedCalls),
      failures,
      tasks: sum(({ tasks }) => tasks),
      failedTasks: sum(({ failedTasks }) => failedTasks),
      unfinishedTasks: sum(({ unfinishedTasks }) => unfinishedTasks),
    };
  });
}
