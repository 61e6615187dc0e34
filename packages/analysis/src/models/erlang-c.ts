// Erlang's C: how likely all servers are busy when a request arrives.

/**
 * The probability of waiting with `servers` servers of this `utilisation` (below 1). From Erlang's B by its recurrence, whose terms stay
 * between 0 and 1 where the factorials of the textbook form overflow: R. B. Cooper, "Introduction to Queueing Theory" (1981), section 3.4.
 */
export function erlangC(servers: number, utilisation: number): number {
  const offered = utilisation * servers;
  let blocking = 1;
  for (let count = 1; count <= servers; count += 1) {
    blocking = (offered * blocking) / (count + offered * blocking);
  }
  return blocking / (1 - utilisation * (1 - blocking));
}
