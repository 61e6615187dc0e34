// The number of virtual users for an open loop. Each runs one task at a time; an arrival without a free one is late.

/** The longest task that does not delay others. */
const longestTaskMs = 250;

/** Each takes memory and a connection. This many are enough to show a queue at the server. */
const mostVirtualUsers = 500;

/** Spare virtual users that wait for arrivals: a few for each instance. */
const waiting = 8;

/** The most arrivals within {@link longestTaskMs} of an ascending schedule, and some spare ones; at most one for each task. */
export function virtualUsersFor(arrivalsMs: readonly number[], mostInFlight: number): number {
  let most = 0;
  let first = 0;
  arrivalsMs.forEach((atMs, index) => {
    while (atMs - (arrivalsMs[first] ?? atMs) > longestTaskMs) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return Math.max(1, Math.min(most + waiting, mostVirtualUsers, mostInFlight, arrivalsMs.length));
}
