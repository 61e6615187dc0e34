// How far apart the instances of a round began, by their own clocks: the delay between the planned and the actual start of their first
// call in a cell. An instance that waits for a core starts late; one with a wrong clock does not (see clock-skew.ts).
import type { CompletedRound } from "../results/read-results.ts";

/** The lower median of at least one value: one delayed cell does not change it. */
function lowerMedian(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[(values.length - 1) >> 1] ?? Number.NaN;
}

export interface StartSkew {
  readonly skewMs: number;
  /** The segments of the instances that began first and last. */
  readonly first: string;
  readonly last: string;
}

/** Undefined unless at least two instances made calls. */
export function startSkew({ plan, calls, instances }: CompletedRound): StartSkew | undefined {
  const lateness: number[][] = instances.map(() => []);
  for (const [index, { beginsMs, arrivalsMs, pausesMs, tasks }] of plan.cells.entries()) {
    if (pausesMs !== null) continue;
    const steps = calls.steps[index] ?? 1;
    const offset = calls.offsets[index] ?? 0;
    const least = instances.map(() => Number.POSITIVE_INFINITY);
    for (let task = 0; task < tasks; task += 1) {
      const at = offset + task * steps;
      const atMs = calls.atMs[at] ?? Number.NaN;
      const instance = calls.instance[at] ?? 0;
      const lateMs = atMs - beginsMs - (arrivalsMs?.[task] ?? 0);
      if (lateMs < (least[instance] ?? 0)) least[instance] = lateMs;
    }
    least.forEach((lateMs, instance) => {
      if (Number.isFinite(lateMs)) lateness[instance]?.push(lateMs);
    });
  }
  const begun = lateness.flatMap((values, instance) =>
    values.length === 0 ? [] : [{ segment: instances[instance]?.segment ?? "", lateMs: lowerMedian(values) }],
  );
  const ordered = begun.toSorted((one, other) => one.lateMs - other.lateMs);
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (first === undefined || last === undefined || ordered.length < 2) return undefined;
  return { skewMs: last.lateMs - first.lateMs, first: first.segment, last: last.segment };
}
