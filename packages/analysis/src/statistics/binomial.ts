// How many of several events are no chance.
/** P(X ≥ count) for a binomial X. */
export function binomialTail(count: number, trials: number, probability: number): number {
  let term = (1 - probability) ** trials;
  let below = 0;
  for (let successes = 0; successes < count; successes += 1) {
    below += term;
    term *= ((trials - successes) / (successes + 1)) * (probability / (1 - probability));
  }
  return 1 - below;
}

/** The fewest of so many 95 % intervals beyond a limit that are not chance: so many are by 2.5 % at most if the truth is at the limit. */
export function fewestBeyondChance(intervals: number): number {
  const rare = 0.025;
  const rounding = 1e-9;
  let count = 1;
  while (binomialTail(count, intervals, rare) > rare + rounding) count += 1;
  return count;
}
