// The options of a capacity search, and their limits.
import { RunnerError } from "../basics/runner-error.ts";

/** The limit of a search, and the shares at which the task is measured. */
export interface SaturationSearch {
  /**
   * The limit for 99 % of calls, from their intended start. Absent if only a rate is wanted: then it is the rate of callers without pauses, of
   * processes no warmer than in a round, found in less than a second.
   */
  readonly limitMs?: number;
  /** Shares of the capacity at which the task is measured. */
  readonly shares: readonly number[];
  /** The duration of arrivals in each measured block. */
  readonly blockMs: number;
}

/** A lower limit is within the machine's own hiccups; a higher one exceeds the time that answers are waited for. */
export const saturationLimits = { leastMs: 1, mostMs: 10_000 } as const;

function fail(message: string): never {
  throw new RunnerError("bad-plan", message);
}

/** Throws a RunnerError `bad-plan` for invalid options. */
export function requireSearch({ limitMs, shares, blockMs }: SaturationSearch): void {
  const { leastMs, mostMs } = saturationLimits;
  if (limitMs !== undefined && !(limitMs >= leastMs && limitMs <= mostMs)) {
    fail(`a limit of ${limitMs} ms cannot be searched: it has to be from ${leastMs} to ${mostMs} ms`);
  }
  if (!(blockMs > 0 && Number.isFinite(blockMs))) fail(`blockMs must be above 0, got ${blockMs}`);
  if (shares.length === 0 || !shares.every((share) => share > 0 && share <= 4)) {
    fail(`shares must be above 0 and at most 4, got ${shares.join(", ")}`);
  }
}
