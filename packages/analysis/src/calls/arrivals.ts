// The intended starts of open-loop tasks by block, as the input of a simulated queue.
import { valuesBySlot, type BlockSlots } from "./block-slots.ts";
import type { Arm, Samples } from "@roundtrip/runs";

/** By arm: the intended starts of each block in milliseconds since the run's start, ascending. */
export type Arrivals = ReadonlyMap<string, readonly Float64Array[]>;

export function arrivalsByArm(arms: readonly Arm[], samples: Samples, blocks: BlockSlots): Arrivals {
  const isOpen = arms.map(({ load }) => load?.loop === "open");
  if (!isOpen.includes(true)) return new Map();
  const moments = valuesBySlot(blocks, (row) =>
    // Later calls of a task start when earlier ones end. A task of a mix has one call, whichever step it is.
    isOpen[samples.arm[row] as number] === true &&
    (samples.step[row] === 0 || arms[samples.arm[row] as number]?.mix !== undefined)
      ? (samples.intendedAtNs[row] as number) / 1e6
      : Number.NaN,
  );
  const ofArm = Map.groupBy(moments, ({ slot }) => (arms[slot.arm] as Arm).id);
  // oxlint-disable-next-line no-array-sort -- these values are nobody else's
  return new Map([...ofArm].map(([id, some]) => [id, some.map(({ values }) => values.sort())]));
}

/** Joins the arrivals of parts of a run. Every block must be whole in one part. */
export function joinArrivals(parts: readonly Arrivals[]): Arrivals {
  const joined = new Map<string, readonly Float64Array[]>();
  for (const part of parts) for (const [id, blocks] of part) joined.set(id, [...(joined.get(id) ?? []), ...blocks]);
  return joined;
}
