// Moments and pauses of a schedule as they are written down: to the microsecond, which is less than any generator keeps.

/** Milliseconds, rounded to whole microseconds. */
export function wholeMicroseconds(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
