// How many calls get through at a time where callers ask for more: one number in several cells of a series is a limit, different ones are not.
import { max } from "d3-array";
import { thresholds } from "../basics/thresholds.ts";

/**
 * Callers of one cell, by Little's law: calls that are under way on average if each takes what it takes alone. N R / (Z + R') of N callers who
 * think for Z, with R alone and R' as it was predicted, and as it was measured.
 */
export interface Passage {
  readonly callers: number;
  readonly askedAtOnce: number;
  readonly throughAtOnce: number;
}

export function asksForMore({ askedAtOnce }: Pick<Passage, "askedAtOnce">, ceiling: number): boolean {
  return askedAtOnce >= (1 + thresholds.band) * ceiling;
}

/**
 * The most calls that get through at a time in any cell, if that is a limit: there are cells that ask for more, with different numbers of callers,
 * and all of them get as many. Null where there is no limit.
 */
export function ceilingOf(series: readonly Passage[]): number | null {
  const ceiling = max(series, ({ throughAtOnce }) => throughAtOnce) ?? 0;
  const asking = series.filter((cell) => asksForMore(cell, ceiling));
  const isOfMany = asking.length >= thresholds.ceilingCells && new Set(asking.map(({ callers }) => callers)).size > 1;
  const isOne = asking.every(({ throughAtOnce }) => throughAtOnce >= (1 - thresholds.ceilingSpread) * ceiling);
  return isOfMany && isOne ? ceiling : null;
}
