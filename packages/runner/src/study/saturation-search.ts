// The options of a capacity search, and their limits.
import { RunnerError } from "../basics/runner-error.ts";

/** What a task is searched for, and where it is measured after. */
export interface SaturationSearch {
  /**
   * What one call in a hundred may take, counted from when it was to begin. Absent where a rate is wanted and no answer: then it is what callers
   * get who never pause, of processes no warmer than in a round, and known in less than a second.
   */
  readonly limitMs?: number;
  /** Shares of the capacity at which the task is measured. */
  readonly shares: readonly number[];
  /** How long arrivals come in each measured block. */
  readonly blockMs: number;
  /** Blocks of each share in a round; absent for one. */
  readonly blocksPerRound?: number;
}

/** A limit below is that of the machine's own hiccups; one above is longer than its answers are waited for. */
export const saturationLimits = { leastMs: 1, mostMs: 10_000 } as const;

function fail(message: string): never {
  throw new RunnerError("bad-plan", message);
}

/** Throws a RunnerError `bad-plan` for what cannot be searched. */
export function requireSearch({ limitMs, shares, blockMs, blocksPerRound = 1 }: SaturationSearch): void {
  const { leastMs, mostMs } = saturationLimits;
  if (limitMs !== undefined && !(limitMs >= leastMs && limitMs <= mostMs)) {
    fail(`a limit of ${limitMs} ms cannot be searched: it has to be from ${leastMs} to ${mostMs} ms`);
  }
  if (!(blockMs > 0 && Number.isFinite(blockMs))) fail(`blockMs must be above 0, got ${blockMs}`);
  if (!Number.isInteger(blocksPerRound) || blocksPerRound < 1)
    fail(`blocksPerRound must be an integer of at least 1, got ${blocksPerRound}`);
  if (shares.length === 0 || !shares.every((share) => share > 0 && share <= 4)) {
    fail(`shares must be above 0 and at most 4, got ${shares.join(", ")}`);
  }
}
