// How a budget of time is kept: whole rounds where there is time for all, all rounds with fewer calls where a little is lacking, and
// fewer rounds where a lot is. Intervals need rounds more than they need calls.

/** What is known before a round begins. Times in milliseconds; those of a round are the last one's, as if it had made all its calls. */
export interface RoundTimes {
  readonly roundsLeft: number;
  readonly leftMs: number;
  /** From a round's begin to its first block. */
  readonly startUpMs: number;
  readonly blocksMs: number;
}

/** With fewer than this the bulks would no longer be those of the study: then there are fewer rounds. */
const leastShare = 0.4;

/** Rounds differ a little; the last one should still fit. */
const reserve = 0.98;

/** The share of its calls that the next round makes, above 0 and up to 1; 0 when there is no time for a round. */
export function shareOfRound({ roundsLeft, leftMs, startUpMs, blocksMs }: RoundTimes): number {
  const share = ((leftMs * reserve) / roundsLeft - startUpMs) / blocksMs;
  if (share >= leastShare) return Math.min(share, 1);
  return startUpMs + blocksMs <= leftMs ? 1 : 0;
}
