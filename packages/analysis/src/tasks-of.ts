// From calls to tasks: a task is done when the last of its calls is, and its latency runs from the first intended start to that end.
import { AnalysisError } from "./analysis-error.ts";
import type { Arm, RunFacts, Samples } from "./run.ts";
import { turnsOf } from "./comparison/turns-of.ts";

/** The tasks of one arm in one block. */
export interface TaskBlock {
  readonly round: number;
  readonly block: number;
  /** How many blocks this arm had in this round before, answered or not: the blocks of two arms with one turn stand against each other. */
  readonly turn: number;
  /** Latency of every task that was answered in full, in milliseconds, in the order in which tasks were begun. */
  readonly latenciesMs: Float64Array;
  /** Of the same tasks: how long after its first intended start each began. Absent for arms without a load. */
  readonly latenessMs?: Float64Array;
}

/** What one arm did, and what of it could not be counted. */
export interface ArmTasks {
  readonly armId: string;
  /** By round, then block. Blocks in which nothing was answered are left out. */
  readonly blocks: readonly TaskBlock[];
  readonly calls: number;
  readonly failedCalls: number;
  /** Failed calls by canonical code. */
  readonly failures: ReadonlyMap<string, number>;
  readonly tasks: number;
  /** Tasks with a failed call: without a latency. */
  readonly failedTasks: number;
  /** Tasks whose last calls were never made, as in an interrupted run: without a latency. */
  readonly unfinishedTasks: number;
}

/** Where one block's tasks live in the flat task columns. */
interface Slot {
  readonly arm: number;
  readonly round: number;
  readonly block: number;
  rows: number;
  tasks: number;
  offset: number;
}

const columns = ["arm", "round", "block", "task", "intendedAtNs", "startedAtNs", "endedAtNs", "outcome"] as const;

function checkColumns(samples: Samples): void {
  for (const column of columns) {
    if (samples[column].length < samples.length) {
      throw new AnalysisError(
        "ragged-columns",
        `column ${column} has ${samples[column].length} rows of ${samples.length}`,
      );
    }
  }
}

/** Gives each row the slot of its block. */
function slotsOf(arms: readonly Arm[], samples: Samples): { slots: Slot[]; slotOfRow: Uint32Array } {
  const byKey = new Map<string, number>();
  const slots: Slot[] = [];
  const slotOfRow = new Uint32Array(samples.length);
  let current = -1;
  for (let row = 0; row < samples.length; row += 1) {
    const arm = samples.arm[row] as number;
    const round = samples.round[row] as number;
    const block = samples.block[row] as number;
    let slot = slots[current];
    // Rows of one block follow each other, so the look-up is rare.
    if (slot === undefined || slot.arm !== arm || slot.round !== round || slot.block !== block) {
      if (arm >= arms.length)
        throw new AnalysisError("ragged-columns", `row ${row} names arm ${arm} of ${arms.length}`);
      const key = `${arm} ${round} ${block}`;
      current = byKey.get(key) ?? slots.push({ arm, round, block, rows: 0, tasks: 0, offset: 0 }) - 1;
      byKey.set(key, current);
      slot = slots[current] as Slot;
    }
    slotOfRow[row] = current;
    slot.rows += 1;
    slot.tasks = Math.max(slot.tasks, (samples.task[row] as number) + 1);
  }
  return { slots, slotOfRow };
}

/** Tasks are numbered from 0 inside their block; a few may be missing where a run was cut off, not most. */
function layOut(slots: readonly Slot[]): number {
  let offset = 0;
  for (const slot of slots) {
    if (slot.tasks > 2 * slot.rows + 1_000) {
      throw new AnalysisError(
        "ragged-columns",
        `round ${slot.round}, block ${slot.block} numbers ${slot.tasks} tasks in ${slot.rows} rows`,
      );
    }
    slot.offset = offset;
    offset += slot.tasks;
  }
  return offset;
}

/** Throws `not-a-number` or `negative-latency`, naming the row. */
function checkedLatencyNs(samples: Samples, row: number): number {
  const latencyNs = (samples.endedAtNs[row] as number) - (samples.intendedAtNs[row] as number);
  if (!Number.isFinite(latencyNs)) throw new AnalysisError("not-a-number", `row ${row} has no finite start and end`);
  if (latencyNs < 0) throw new AnalysisError("negative-latency", `row ${row} ended before it was to start`);
  return latencyNs;
}

/** Arms' tasks, in the order of `arms`. Linear in the samples; needs some 20 bytes for each. */
export function tasksOf(
  { arms, blocks: books }: Pick<RunFacts, "arms" | "blocks">,
  samples: Samples,
): readonly ArmTasks[] {
  checkColumns(samples);
  const { slots, slotOfRow } = slotsOf(arms, samples);
  const called = slots.map(({ arm, round, block }) => ({ armId: (arms[arm] as Arm).id, round, block }));
  const turnOf = turnsOf([...books, ...called]);
  const size = layOut(slots);
  const beginsNs = new Float64Array(size).fill(Infinity);
  const endsNs = new Float64Array(size);
  // Without a load tasks begin when they are intended to.
  const startsNs = arms.some(({ load }) => load !== undefined) ? new Float64Array(size).fill(Infinity) : undefined;
  const calls = new Uint32Array(size);
  const failed = new Uint8Array(size);
  const failures = arms.map(() => new Map<string, number>());
  for (let row = 0; row < samples.length; row += 1) {
    checkedLatencyNs(samples, row);
    const slot = slots[slotOfRow[row] as number] as Slot;
    const task = slot.offset + (samples.task[row] as number);
    beginsNs[task] = Math.min(beginsNs[task] as number, samples.intendedAtNs[row] as number);
    if (startsNs !== undefined) startsNs[task] = Math.min(startsNs[task] as number, samples.startedAtNs[row] as number);
    endsNs[task] = Math.max(endsNs[task] as number, samples.endedAtNs[row] as number);
    calls[task] = (calls[task] as number) + 1;
    const outcome = samples.outcomes[samples.outcome[row] as number];
    if (outcome !== "OK") {
      failed[task] = 1;
      const counts = failures[slot.arm] as Map<string, number>;
      counts.set(outcome ?? "UNKNOWN", (counts.get(outcome ?? "UNKNOWN") ?? 0) + 1);
    }
  }

  const byArm = Map.groupBy(slots, (slot) => slot.arm);
  return arms.map((arm, index) => {
    let tasks = 0;
    let rows = 0;
    let failedTasks = 0;
    let unfinishedTasks = 0;
    const ordered = (byArm.get(index) ?? []).toSorted((a, b) => a.round - b.round || a.block - b.block);
    const blocks = ordered.flatMap((slot): TaskBlock[] => {
      const latenciesMs = new Float64Array(slot.tasks);
      const latenessMs = arm.load === undefined ? undefined : new Float64Array(slot.tasks);
      let kept = 0;
      rows += slot.rows;
      for (let task = slot.offset; task < slot.offset + slot.tasks; task += 1) {
        if (calls[task] === 0) continue;
        tasks += 1;
        if (failed[task] === 1) failedTasks += 1;
        else if ((calls[task] as number) < arm.callsPerTask) unfinishedTasks += 1;
        else {
          latenciesMs[kept] = ((endsNs[task] as number) - (beginsNs[task] as number)) / 1e6;
          if (latenessMs !== undefined && startsNs !== undefined) {
            latenessMs[kept] = ((startsNs[task] as number) - (beginsNs[task] as number)) / 1e6;
          }
          kept += 1;
        }
      }
      if (kept === 0) return [];
      const { round, block } = slot;
      const turn = turnOf({ armId: arm.id, round, block });
      const late = latenessMs === undefined ? {} : { latenessMs: latenessMs.subarray(0, kept) };
      return [{ round, block, turn, latenciesMs: latenciesMs.subarray(0, kept), ...late }];
    });
    const counts = failures[index] as Map<string, number>;
    const failedCalls = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return { armId: arm.id, blocks, calls: rows, failedCalls, failures: counts, tasks, failedTasks, unfinishedTasks };
  });
}
