// When the requests of a log came: the busiest stretch of it, as a recording that `bench --arrivals` replays.
import { randomFrom } from "@roundtrip/analysis/statistics";

/** A recording of more tasks would not fit into one block: see the pacers. */
const mostMoments = 100_000;

export interface LoggedArrivals {
  /** In milliseconds from the begin of the stretch, ascending; empty if the log has no times. */
  readonly momentsMs: readonly number[];
  /** The begin of the stretch, in milliseconds since 1970. */
  readonly fromMs: number;
  /** Length of the stretch in the log, in milliseconds. */
  readonly windowMs: number;
  /** From the first request of the log to the last, in milliseconds. */
  readonly logMs: number;
  /** Whether the log has whole seconds, within which moments are drawn. */
  readonly areDrawn: boolean;
  readonly speed: number;
}

export interface StretchOptions {
  readonly windowMs: number;
  /** Replays this many times as fast. */
  readonly speed: number;
}

/** Whole seconds with a random fraction each: requests of one second did not come at once. */
function spread(sorted: Float64Array): Float64Array {
  const draw = randomFrom(1, "arrivals");
  return sorted.map((ms) => ms + 1_000 * draw()).toSorted();
}

/** The index of the first moment of the window of this length that has the most moments; the earliest of several. */
function busiest(sorted: Float64Array, windowMs: number): { readonly first: number; readonly count: number } {
  let best = { first: 0, count: 0 };
  let end = 0;
  for (let first = 0; first < sorted.length; first += 1) {
    while (end < sorted.length && (sorted[end] as number) < (sorted[first] as number) + windowMs) end += 1;
    if (end - first > best.count) best = { first, count: end - first };
  }
  return best;
}

/** @param timesMs of requests, in milliseconds since 1970, in any order. */
export function arrivalsOf(timesMs: readonly number[], { windowMs, speed }: StretchOptions): LoggedArrivals {
  const logged = Float64Array.from(timesMs).toSorted();
  const areDrawn = logged.length > 1 && logged.every((ms) => ms % 1_000 === 0);
  const sorted = areDrawn ? spread(logged) : logged;
  const { first, count } = busiest(sorted, windowMs);
  const fromMs = sorted[first] ?? Number.NaN;
  const moments = sorted.subarray(first, first + Math.min(count, mostMoments));
  return {
    momentsMs: Array.from(moments, (ms) => Math.round((1_000 * (ms - fromMs)) / speed) / 1_000),
    fromMs,
    windowMs,
    logMs: (logged.at(-1) ?? Number.NaN) - (logged[0] ?? Number.NaN),
    areDrawn,
    speed,
  };
}
