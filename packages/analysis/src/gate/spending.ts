// How much of an error probability a job may have spent by a look, so that looking often does not make it wrong often.

/** The probability may grow with this power of the part of the planned rounds that is done. */
export type Spending = 1 | 2;

/**
 * What may be spent after `rounds` of `planned`: level · (rounds / planned)^power, the power family of Kim and DeMets, "Design and Analysis
 * of Group Sequential Tests Based on the Type I Error Spending Rate Function", Biometrika 74 (1987). It needs no looks fixed in advance
 * (Lan and DeMets, "Discrete Sequential Boundaries for Clinical Trials", Biometrika 70 (1983)).
 */
export function spentLevel(level: number, rounds: number, planned: number, power: Spending): number {
  return level * Math.min(1, rounds / planned) ** power;
}

/** A FAIL blocks somebody: early looks get little, so that a job that goes on to its end loses almost nothing. */
export const failSpending: Spending = 2;

/** A PASS is what most jobs end with: early looks get their share. */
export const passSpending: Spending = 1;
