// How many rounds a job plans, from the time that its rounds take, and where it looks.

/** Before the first look no figure decides anything, and the time of a round is known. More than the maximum would add nothing. */
export const roundLimits = { least: 8, most: 200 } as const;

const looks = [8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 100, 125, 150, 175];

/** Rounds after which a job of `planned` rounds is judged: close together at first, since most jobs end early. */
export function looksUpTo(planned: number): readonly number[] {
  return [...looks.filter((look) => look < planned), planned];
}

// A job that planned too few rounds would end with time left; one that planned too many loses little.

/** Rounds get shorter when stacks have passed. */
const shorterLater = 1.5;

export interface RoundTimes {
  /** The times of the rounds so far, at least one. */
  readonly roundsMs: readonly number[];
  readonly budgetMs: number;
  readonly stacks: number;
}

/**
 * Returns how many rounds as short as the shortest the budget holds: other programs that slowed down the first rounds may end. The time of a round is the same whichever version is called base, so a plan made from times alone leaves
 * the sign-flip test its level.
 */
export function roundsThatFit({ roundsMs, budgetMs, stacks }: RoundTimes): number {
  const spentMs = roundsMs.reduce((sum, ms) => sum + ms, 0);
  const roundMs = Math.min(...roundsMs);
  const fitting = (Math.max(0, budgetMs - spentMs) / roundMs) * (stacks > 1 ? shorterLater : 1);
  const planned = Math.floor(roundsMs.length + fitting);
  return Math.min(roundLimits.most, Math.max(roundLimits.least, planned));
}

/** Whether another round would end after the budget. It is expected to take as long as the longest of the last three. */
export function isOutOfTime({ roundsMs, budgetMs }: Pick<RoundTimes, "roundsMs" | "budgetMs">): boolean {
  const spentMs = roundsMs.reduce((sum, ms) => sum + ms, 0);
  return spentMs + Math.max(...roundsMs.slice(-3)) > budgetMs;
}

/**
 * Looks of a job that ends after `rounds`, earlier than planned, because time is over: the last look spends what is left of its errors. The earlier
 * looks spend more than they did, so that what they decided stays decided. Before the first look there is none.
 */
export function looksOfEnded(planned: readonly number[], rounds: number): readonly number[] {
  const last = planned.at(-1) ?? rounds;
  if (rounds < roundLimits.least || rounds >= last) return planned;
  return [...planned.filter((look) => look < rounds), rounds];
}
