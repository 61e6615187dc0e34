// The error probability that a job may have spent by a look, so that frequent looks do not raise its total.

/** Power of the share of planned rounds with which the spent probability grows. */
export type Spending = 1 | 2;

/**
 * Returns what may be spent after `rounds` of `planned`: level · (rounds / planned)^power, the power family of Kim and DeMets, "Design and Analysis
 * of Group Sequential Tests Based on the Type I Error Spending Rate Function", Biometrika 74 (1987). It needs no looks fixed in advance (Lan and
 * DeMets, "Discrete Sequential Boundaries for Clinical Trials", Biometrika 70 (1983)).
 */
export function spentLevel(level: number, rounds: number, planned: number, power: Spending): number {
  return level * Math.min(1, rounds / planned) ** power;
}

/**
 * Returns the share of a FAIL's level that may be spent by each look when passed stacks are left out. A look adds in proportion to the cells with a
 * value since the last look. Fewer cells cross less often, so each could get more. Without this share they did, and a change of exactly τ then
 * exceeded the level. A cell that lost single rounds counts fully.
 * @param isMeasured whether a cell got a value in the rounds from the first (inclusive, 0-based) to the last (exclusive)
 */
export function failSpent(
  looks: readonly number[],
  planned: number,
  cells: number,
  isMeasured: (cell: number, from: number, to: number) => boolean,
): readonly number[] {
  let spent = 0;
  return looks.map((look, index) => {
    const before = looks[index - 1] ?? 0;
    const all = Array.from({ length: cells }, (_, cell) => isMeasured(cell, before, look));
    const part = all.filter(Boolean).length / cells;
    spent += part * (spentLevel(1, look, planned, failSpending) - spentLevel(1, before, planned, failSpending));
    return spent;
  });
}

/** A FAIL blocks its user: early looks get little, so a job of full length loses almost no power. */
export const failSpending: Spending = 2;

/** Most jobs end with a PASS: early looks get their share. */
export const passSpending: Spending = 1;
