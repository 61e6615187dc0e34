// How many virtual users an open loop takes: each of k6's carries one task at a time, and an arrival that finds none free is late.

/** As long as a task may take without another having to wait for its virtual user. */
const longestTaskMs = 250;

/** Each costs k6 memory and a connection; with this many, a queue of the server's is long enough to be seen. */
const mostVirtualUsers = 500;

/** Those who wait for arrivals to come while all others are at work: a few for each instance that shares them. */
const waiting = 8;

/** As many as arrive within any {@link longestTaskMs} of a schedule in ascending order, and some to wait; no more than there are tasks. */
export function virtualUsersFor(arrivalsMs: readonly number[], mostInFlight: number): number {
  let most = 0;
  let first = 0;
  arrivalsMs.forEach((atMs, index) => {
    while (atMs - (arrivalsMs[first] ?? atMs) > longestTaskMs) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return Math.max(1, Math.min(most + waiting, mostVirtualUsers, mostInFlight, arrivalsMs.length));
}
