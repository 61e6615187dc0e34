// What a call takes of a processor by how long that rested before: caches grow cold and processors fall asleep, while calls that come together
// share what a turn of an event loop costs.

/** What a call was seen to take after so long without anything to do. Means, in milliseconds. */
export interface SeenDemand {
  readonly restMs: number;
  readonly demandMs: number;
}

/**
 * What a call takes after this rest: on the straight line between the two rests around it that were seen; what was seen at an end holds
 * beyond it. NaN where nothing was seen.
 */
export function demandAfter(seen: readonly SeenDemand[], restMs: number): number {
  const ascending = seen.toSorted((one, other) => one.restMs - other.restMs);
  const next = ascending.find((one) => one.restMs >= restMs) ?? ascending.at(-1);
  const last = ascending.findLast((one) => one.restMs <= restMs) ?? next;
  if (next === undefined || last === undefined) return Number.NaN;
  if (next.restMs <= last.restMs) return (next.demandMs + last.demandMs) / 2;
  const share = (restMs - last.restMs) / (next.restMs - last.restMs);
  return last.demandMs + share * (next.demandMs - last.demandMs);
}
