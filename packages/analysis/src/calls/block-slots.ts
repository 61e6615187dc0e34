// Assigns each call to its block, once for everything that is gathered by block.
import { AnalysisError } from "../basics/analysis-error.ts";
import { namedColumns, type ReadColumns } from "@roundtrip/runs/call-columns";
import type { Arm, Samples } from "@roundtrip/runs";

export interface BlockSlot {
  readonly arm: number;
  readonly round: number;
  readonly block: number;
  rows: number;
  /** One more than the highest task number. */
  tasks: number;
}

export interface BlockSlots {
  /** In the order of their first calls. */
  readonly slots: readonly BlockSlot[];
  readonly slotOfRow: Uint32Array;
}

function checkColumns(samples: Samples): void {
  for (const { readAs } of namedColumns) {
    const column = samples[readAs as keyof ReadColumns];
    if (column !== undefined && column.length < samples.length) {
      throw new AnalysisError("ragged-columns", `column ${readAs} has ${column.length} rows of ${samples.length}`);
    }
  }
}

/** Assigns each call to the slot of its block. Throws `ragged-columns`. */
export function blockSlots(arms: readonly Arm[], samples: Samples): BlockSlots {
  checkColumns(samples);
  const byKey = new Map<string, number>();
  const slots: BlockSlot[] = [];
  const slotOfRow = new Uint32Array(samples.length);
  let current = -1;
  for (let row = 0; row < samples.length; row += 1) {
    const arm = samples.arm[row] as number;
    const round = samples.round[row] as number;
    const block = samples.block[row] as number;
    let slot = slots[current];
    // Rows of one block are adjacent, so this look-up is rare.
    if (slot === undefined || slot.arm !== arm || slot.round !== round || slot.block !== block) {
      if (arm >= arms.length)
        throw new AnalysisError("ragged-columns", `row ${row} names arm ${arm} of ${arms.length}`);
      const key = `${arm} ${round} ${block}`;
      current = byKey.get(key) ?? slots.push({ arm, round, block, rows: 0, tasks: 0 }) - 1;
      byKey.set(key, current);
      slot = slots[current] as BlockSlot;
    }
    slotOfRow[row] = current;
    slot.rows += 1;
    slot.tasks = Math.max(slot.tasks, (samples.task[row] as number) + 1);
  }
  return { slots, slotOfRow };
}

export interface SlotValues {
  readonly slot: BlockSlot;
  readonly values: Float64Array;
}

/** Values by block, without blocks that have none. @param valueOf NaN for calls that have none */
export function valuesBySlot(
  { slots, slotOfRow }: BlockSlots,
  valueOf: (row: number) => number,
): readonly SlotValues[] {
  const counts = new Uint32Array(slots.length);
  let total = 0;
  for (let row = 0; row < slotOfRow.length; row += 1) {
    if (Number.isNaN(valueOf(row))) continue;
    const slot = slotOfRow[row] as number;
    counts[slot] = (counts[slot] as number) + 1;
    total += 1;
  }
  if (total === 0) return [];
  const all = new Float64Array(total);
  const ends = new Uint32Array(slots.length);
  let end = 0;
  for (const [slot, count] of counts.entries()) {
    ends[slot] = end;
    end += count;
  }
  for (let row = 0; row < slotOfRow.length; row += 1) {
    const value = valueOf(row);
    if (Number.isNaN(value)) continue;
    const slot = slotOfRow[row] as number;
    all[ends[slot] as number] = value;
    ends[slot] = (ends[slot] as number) + 1;
  }
  return slots.flatMap((slot, index) => {
    const count = counts[index] as number;
    const stop = ends[index] as number;
    return count === 0 ? [] : [{ slot, values: all.subarray(stop - count, stop) }];
  });
}
