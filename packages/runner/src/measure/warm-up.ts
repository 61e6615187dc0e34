// When a process is warm: the numbers have settled, not a count of calls that somebody thought enough.

/** How warm-up is judged. */
export interface WarmUpRule {
  /** A window runs every arm once, again and again until it has made this many calls… */
  readonly callsPerWindow: number;
  /** …or has lasted this long, as it does where a call has far to go. */
  readonly windowMs: number;
  /** Windows that are compared with as many before them. */
  readonly windows: number;
  /** The two means may differ by this much, relative to the later one. */
  readonly tolerance: number;
  /** At least this long. */
  readonly minMs: number;
  /** Give up after this long; the cell is then marked as not settled. */
  readonly maxMs: number;
}

const mostMsAlone = 750;

/** Twice what a pass over all arms takes at the farthest that is usual. */
const mostMsFar = 6_000;

/**
 * First all pairs at once for this long, to get code compiled; then each alone, until its numbers settle. Pairs that are far apart have
 * one rule for both: they hardly take any time of a processor, and a pass over their arms is a window of its own.
 */
export function warmUpRules(togetherMs: number): Readonly<Record<"together" | "alone" | "far", WarmUpRule>> {
  const maxMs = Math.max(mostMsAlone, togetherMs);
  return {
    together: { callsPerWindow: 100, windowMs: 75, windows: 4, tolerance: 0, minMs: togetherMs, maxMs: togetherMs },
    alone: { callsPerWindow: 75, windowMs: 125, windows: 2, tolerance: 0.05, minMs: 0, maxMs },
    far: { callsPerWindow: 75, windowMs: 125, windows: 1, tolerance: 0.05, minMs: togetherMs, maxMs: mostMsFar },
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** True when the last windows and those before them agree within the tolerance. @param passMs mean duration of a pass in each window so far. */
export function hasSettled(passMs: readonly number[], rule: WarmUpRule): boolean {
  if (passMs.length < 2 * rule.windows) return false;
  const late = mean(passMs.slice(-rule.windows));
  const early = mean(passMs.slice(-2 * rule.windows, -rule.windows));
  return Math.abs(early - late) <= rule.tolerance * late;
}
