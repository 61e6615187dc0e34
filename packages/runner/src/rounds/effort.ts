// How much of each round is measured, so that all rounds fit into the time: intervals need rounds, rounds need neither every cell nor every call.

export interface Effort {
  /** Cells are measured up to this priority: 1 is never left out. */
  readonly lowestPriority: number;
  /** Share of each cell's calls, above 0 and up to 1. */
  readonly share: number;
}

/** What is known when it is decided. */
export interface TimeForRounds {
  readonly roundsLeft: number;
  /** Rounds that an interval needs beyond those that are done. */
  readonly roundsNeeded: number;
  readonly leftMs: number;
  /** Those of all cells that are still measured, ascending. */
  readonly priorities: readonly number[];
  /** Whether cells may be left out: not once they have been measured in a round. */
  readonly mayLeaveOut: boolean;
  /** Cells of low priority are left out before all cells make fewer calls than this share. */
  readonly mildShare: number;
  /** The duration of some rounds, which never decreases with more rounds, calls or cells. */
  readonly roundsMs: (rounds: number, effort: Effort) => number;
}

/** A tenth of a bulk still gives a useful mean, while a missing round widens every interval. */
export const leastShare = 0.1;

/** Rounds differ a little; the last one should still fit. */
const reserve = 0.98;

/** Halvings after which no block has a call more or less. */
const halvings = 30;

/** The largest share from `least` to 1 that takes no longer than that; undefined where even the least does. */
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

/** What is measured at the least: the cells that are never left out, or all that are left where none may go. */
export function leastEffort({ priorities, mayLeaveOut }: Pick<TimeForRounds, "priorities" | "mayLeaveOut">): Effort {
  return { lowestPriority: priorities.at(mayLeaveOut ? 0 : -1) ?? 1, share: leastShare };
}

/** The most effort with which these rounds fit: all cells with nearly all calls, or fewer cells, or the fewest cells with fewer calls. */
function effortForRounds(rounds: number, limitMs: number, time: TimeForRounds): Effort | undefined {
  const { priorities, mayLeaveOut, mildShare, roundsMs } = time;
  const least = leastEffort(time);
  for (const lowestPriority of mayLeaveOut ? priorities.toReversed() : [least.lowestPriority]) {
    const fewest = lowestPriority === least.lowestPriority ? leastShare : mildShare;
    const share = largestShare(limitMs, fewest, (of) => roundsMs(rounds, { lowestPriority, share: of }));
    if (share !== undefined) return { lowestPriority, share };
  }
  return undefined;
}

/** The most with which all rounds that are left fit; undefined where not even {@link leastEffort} does. */
export function effortForAll(time: TimeForRounds): Effort | undefined {
  return effortForRounds(time.roundsLeft, time.leftMs * reserve, time);
}

/**
 * As {@link effortForAll}, or the most with which so many rounds fit as an interval still needs, or as many as there is time for at the least;
 * undefined if there is not enough time for one.
 */
export function effortForMost(time: TimeForRounds): Effort | undefined {
  const { roundsLeft, leftMs, roundsNeeded, roundsMs } = time;
  const least = leastEffort(time);
  let rounds = Math.min(roundsLeft, Math.max(1, roundsNeeded));
  while (rounds > 0 && roundsMs(rounds, least) > leftMs) rounds -= 1;
  return effortForAll(time) ?? (rounds === 0 ? undefined : effortForRounds(rounds, leftMs, time));
}
