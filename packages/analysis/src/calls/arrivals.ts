// When the tasks of open loops were to begin, block by block: what a queue that takes the same arrivals is given.
import { valuesBySlot, type BlockSlots } from "./block-slots.ts";
import type { Arm, Samples } from "../run/run-facts.ts";

/** By arm: the intended starts of each block in milliseconds since the run's start, ascending. */
export type Arrivals = ReadonlyMap<string, readonly Float64Array[]>;

/** Arms without an open loop are left out. */
export function arrivalsByArm(arms: readonly Arm[], samples: Samples, blocks: BlockSlots): Arrivals {
  const isOpen = arms.map(({ load }) => load?.loop === "open");
  if (!isOpen.includes(true)) return new Map();
  const moments = valuesBySlot(blocks, (row) =>
    // Later calls of a task begin when those before them have ended.
    isOpen[samples.arm[row] as number] === true && samples.step[row] === 0
      ? (samples.intendedAtNs[row] as number) / 1e6
      : Number.NaN,
  );
  const ofArm = Map.groupBy(moments, ({ slot }) => (arms[slot.arm] as Arm).id);
  // oxlint-disable-next-line no-array-sort -- these values are nobody else's
  return new Map([...ofArm].map(([id, some]) => [id, some.map(({ values }) => values.sort())]));
}

/** The arrivals of parts of a run: every block is in one of the parts, whole. */
export function joinArrivals(parts: readonly Arrivals[]): Arrivals {
  const joined = new Map<string, readonly Float64Array[]>();
  for (const part of parts) for (const [id, blocks] of part) joined.set(id, [...(joined.get(id) ?? []), ...blocks]);
  return joined;
}
