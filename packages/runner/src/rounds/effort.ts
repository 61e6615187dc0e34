// The measured part of each round, chosen so that all rounds fit into the time: intervals need rounds, while rounds need neither every cell nor every
// call.

export interface Effort {
  /** Cells up to this priority are measured: 1 is never left out. */
  readonly lowestPriority: number;
  /** The share of each cell's calls, above 0 and up to 1. */
  readonly share: number;
}

export interface TimeForRounds {
  readonly roundsLeft: number;
  /** Rounds that an interval needs in addition to those that are done. */
  readonly roundsNeeded: number;
  readonly leftMs: number;
  /** The priorities of all cells that are still measured, ascending. */
  readonly priorities: readonly number[];
  /** Whether cells may be left out: not once they have been measured in a round. */
  readonly mayLeaveOut: boolean;
  /** The duration of some rounds, which never decreases with more rounds, calls or cells. */
  readonly roundsMs: (rounds: number, effort: Effort) => number;
}

/** A tenth of a bulk still gives a useful mean, while a missing round widens every interval. */
export const leastShare = 0.1;

/** Cells of low priority are left out before all cells make fewer calls than this share. */
const shareBeforeLeavingOut = 0.8;

/** Rounds vary a little; the last one should still fit. */
const reserve = 0.98;

/** After this many halvings, the number of calls of a block no longer changes. */
const halvings = 30;

/** The largest share from `least` to 1 within the limit; undefined if even the least exceeds it. */
function largestShare(limitMs: number, least: number, takesMs: (share: number) => number): number | undefined {
  if (takesMs(1) <= limitMs) return 1;
  if (takesMs(least) > limitMs) return undefined;
  let [fits, tooLong] = [least, 1];
  for (let halving = 0; halving < halvings; halving += 1) {
    const middle = (fits + tooLong) / 2;
    if (takesMs(middle) <= limitMs) fits = middle;
    else tooLong = middle;
  }
  return fits;
}

/** The minimum effort: the cells that are never left out, or all remaining cells if none may be left out. */
export function leastEffort({ priorities, mayLeaveOut }: Pick<TimeForRounds, "priorities" | "mayLeaveOut">): Effort {
  return { lowestPriority: priorities.at(mayLeaveOut ? 0 : -1) ?? 1, share: leastShare };
}

/** The largest effort with which these rounds fit: all cells with nearly all calls, or fewer cells, or the fewest cells with fewer calls. */
function effortForRounds(rounds: number, limitMs: number, time: TimeForRounds): Effort | undefined {
  const { priorities, mayLeaveOut, roundsMs } = time;
  const least = leastEffort(time);
  for (const lowestPriority of mayLeaveOut ? priorities.toReversed() : [least.lowestPriority]) {
    const fewest = lowestPriority === least.lowestPriority ? leastShare : shareBeforeLeavingOut;
    const share = largestShare(limitMs, fewest, (of) => roundsMs(rounds, { lowestPriority, share: of }));
    if (share !== undefined) return { lowestPriority, share };
  }
  return undefined;
}

/** The largest effort with which all remaining rounds fit; undefined if not even {@link leastEffort} does. */
export function effortForAll(time: TimeForRounds): Effort | undefined {
  return effortForRounds(time.roundsLeft, time.leftMs * reserve, time);
}

/** As {@link effortForAll}, else for the rounds that an interval still needs, else for as many as fit with minimum effort; undefined if none fits. */
export function effortForMost(time: TimeForRounds): Effort | undefined {
  const { roundsLeft, leftMs, roundsNeeded, roundsMs } = time;
  const least = leastEffort(time);
  let rounds = Math.min(roundsLeft, Math.max(1, roundsNeeded));
  while (rounds > 0 && roundsMs(rounds, least) > leftMs) rounds -= 1;
  return effortForAll(time) ?? (rounds === 0 ? undefined : effortForRounds(rounds, leftMs, time));
}
