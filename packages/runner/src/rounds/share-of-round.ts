// How a budget of time is kept: whole rounds where there is time for all, all rounds with fewer calls where a little is lacking, and
// fewer rounds where a lot is. Intervals need rounds more than they need calls.

/** What is known before a round begins. */
export interface TimeForRounds {
  readonly roundsLeft: number;
  readonly leftMs: number;
  /** What a round takes with this share of its calls, above 0 and up to 1: never less with more of them. */
  readonly roundMs: (share: number) => number;
}

/** A mean of a fifth of a bulk still tells something, and a round too few costs every interval. With less than this there are fewer rounds. */
export const leastShare = 0.2;

/** Rounds differ a little; the last one should still fit. */
const reserve = 0.98;

/** Halvings after which no block has a call more or less. */
const halvings = 30;

/** The largest share with which a round takes no longer than that; undefined where it does with the least. */
function largestShareIn(limitMs: number, roundMs: TimeForRounds["roundMs"]): number | undefined {
  if (roundMs(1) <= limitMs) return 1;
  if (roundMs(leastShare) > limitMs) return undefined;
  let [fits, tooLong] = [leastShare, 1];
  for (let halving = 0; halving < halvings; halving += 1) {
    const middle = (fits + tooLong) / 2;
    if (roundMs(middle) <= limitMs) fits = middle;
    else tooLong = middle;
  }
  return fits;
}

/** The share of its calls that the next round makes, from {@link leastShare} to 1; 0 when there is no time for a round. */
export function shareOfRound({ roundsLeft, leftMs, roundMs }: TimeForRounds): number {
  const ofAll = largestShareIn((leftMs * reserve) / roundsLeft, roundMs);
  // There is no time for all: as many whole ones as there is time for, and of the last what there is time for.
  return ofAll ?? largestShareIn(leftMs, roundMs) ?? 0;
}
