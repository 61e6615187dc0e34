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

/**
 * What the looks of a FAIL may have spent, as parts of the whole, where stacks that have passed are left out: what a look adds counts by the part of all cells that
 * got a value since the look before. Fewer cells cross less often, so that each could be given more: without this share they were, and rounds that
 * are left out for what was seen took a change of just τ beyond the level. A cell that lost single rounds counts whole.
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

/** A FAIL blocks somebody: early looks get little, so that a job that goes on to its end loses almost nothing. */
export const failSpending: Spending = 2;

/** A PASS is what most jobs end with: early looks get their share. */
export const passSpending: Spending = 1;
