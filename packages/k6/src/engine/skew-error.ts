// Checks that the instances of a round followed one schedule: they must begin at the same time, by clocks that agree.
import type { CompletedRound } from "../results/read-results.ts";
import type { ReportedInstance } from "../results/instance-of.ts";

/** The lower median of at least one value: one delayed cell does not change it. */
function lowerMedian(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[(values.length - 1) >> 1] ?? Number.NaN;
}

interface StartSkew {
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

interface ClockSkew {
  readonly skewMs: number;
  /** The instances whose clocks were furthest behind and ahead. */
  readonly behind: ReportedInstance;
  readonly ahead: ReportedInstance;
}

/** Undefined unless at least two instances report an offset. */
export function clockSkew(instances: readonly ReportedInstance[]): ClockSkew | undefined {
  const known = instances.filter(({ clockMs }) => !Number.isNaN(clockMs));
  const ordered = known.toSorted((one, other) => one.clockMs - other.clockMs);
  const [behind, ahead] = [ordered[0], ordered.at(-1)];
  if (behind === undefined || ahead === undefined || ordered.length < 2) return undefined;
  return { skewMs: ahead.clockMs - behind.clockMs, behind, ahead };
}

/** How far apart instances may begin before the arrivals of a round differ from its schedule. */
const mostSkewMs = 50;

const inMs = (ms: number): string => `${Math.abs(Math.round(ms)).toLocaleString("en-US")} ms`;

function clockOffset(ms: number): string {
  return `${inMs(ms)} ${ms < 0 ? "behind" : "ahead of"} its server's`;
}

/** Why the calls of a round do not follow one schedule; undefined if they do, or if it is unknown. */
export function skewError(done: CompletedRound): string | undefined {
  const clocks = clockSkew(done.instances);
  if (clocks !== undefined && clocks.skewMs > mostSkewMs) {
    const { skewMs, behind, ahead } = clocks;
    const each = `that of segment ${ahead.segment} was ${clockOffset(ahead.clockMs)}, that of ${behind.segment} ${clockOffset(behind.clockMs)}`;
    return `clocks were ${inMs(skewMs)} apart, more than ${mostSkewMs} ms: ${each}; set them by NTP`;
  }
  const starts = startSkew(done);
  if (starts === undefined || starts.skewMs <= mostSkewMs) return undefined;
  const { skewMs, first, last } = starts;
  return `segment ${last} began ${inMs(skewMs)} after ${first}, more than ${mostSkewMs} ms: it had to wait for a core`;
}
