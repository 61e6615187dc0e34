// How far apart the instances of a round began by their own clocks: how long after the moment that the plan has for it each of them made the first of its
// calls in a cell. One that was given no processor is late so; one whose clock is wrong is not (see clock-skew.ts).
import type { DoneRound } from "../results/read-results.ts";

/** Of at least one value: the lower of two in the middle, which one cell that a pause delayed does not move. */
function lowerMedian(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[(values.length - 1) >> 1] ?? Number.NaN;
}

export interface StartSkew {
  readonly skewMs: number;
  /** The segment of the instance that began first, and of the one that began last. */
  readonly first: string;
  readonly last: string;
}

/** Undefined where there are not two instances with calls. */
export function startSkew({ plan, calls, instances }: DoneRound): StartSkew | undefined {
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
