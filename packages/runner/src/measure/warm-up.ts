// When a process is warm: the numbers have settled, not a count of calls that somebody thought enough.
import { isDeepStrictEqual } from "node:util";
import type { Plan } from "../study.ts";

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
  /** But not before there are as many windows. */
  readonly leastWindows: number;
  /**
   * Whether calls that one arm makes one after the other are left to another that makes the same at once: they run through the same code, and
   * where they have far to go, all but one of them only wait.
   */
  readonly leavesOutRepeats: boolean;
}

const mostMsAlone = 750;

/** Beside many others calls settle later than alone. Over the farthest links two passes may take longer, and are compared in any case. */
const mostMsFar = 3_000;

/**
 * First all pairs at once for this long, to get code compiled; then each alone, until its numbers settle. Pairs that are far apart have
 * one rule for both: they hardly take any time of a processor, and a pass over their arms is a window of its own.
 */
export function warmUpRules(togetherMs: number): Readonly<Record<"together" | "alone" | "far", WarmUpRule>> {
  const maxMs = Math.max(mostMsAlone, togetherMs);
  const near = { leastWindows: 0, leavesOutRepeats: false };
  return {
    together: {
      callsPerWindow: 100,
      windowMs: 75,
      windows: 4,
      tolerance: 0,
      minMs: togetherMs,
      maxMs: togetherMs,
      ...near,
    },
    alone: { callsPerWindow: 75, windowMs: 125, windows: 2, tolerance: 0.05, minMs: 0, maxMs, ...near },
    far: {
      callsPerWindow: 75,
      windowMs: 125,
      windows: 1,
      tolerance: 0.05,
      minMs: togetherMs,
      maxMs: Math.max(mostMsFar, togetherMs),
      leastWindows: 2,
      leavesOutRepeats: true,
    },
  };
}

/** The arms of which each pass of warming up runs one task: this project's clients make their calls. */
export function warmedUp<A extends { readonly plan: Plan }>(
  arms: readonly A[],
  { leavesOutRepeats }: Pick<WarmUpRule, "leavesOutRepeats">,
): readonly A[] {
  const own = arms.filter(({ plan }) => plan.driver === "own");
  if (!leavesOutRepeats) return own;
  const atOnce = own.filter(({ plan }) => plan.order === "parallel");
  const isRepeat = ({ order, steps }: Plan): boolean =>
    order === "sequential" && steps.length > 1 && atOnce.some(({ plan }) => isDeepStrictEqual(plan.steps, steps));
  return own.filter(({ plan }) => !isRepeat(plan));
}

/** True when a process may stop warming up. @param passMs mean duration of a pass in each window so far. */
export function isOver(passMs: readonly number[], elapsedMs: number, rule: WarmUpRule): boolean {
  if (elapsedMs < rule.minMs) return false;
  return hasSettled(passMs, rule) || (elapsedMs >= rule.maxMs && passMs.length >= rule.leastWindows);
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
