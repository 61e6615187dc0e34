// Confirmation of a FAIL: the failed cells are measured again, by new processes in new directories.
import { mean } from "d3-array";
import { createFlipSums } from "./flip-sums.ts";
import { checkGateRounds, type CellJudgement, type GateCell, type GateRounds } from "./gate-judgement.ts";
import { checkGateSettings, type GateSettings } from "./gate-settings.ts";
import { createJobTest, passSpending, spentLevel } from "./sign-flip-tests.ts";
import { signGroup } from "./sign-group.ts";

/** Probability of confirming any retested cell that is within `tolerate`. */
export const confirmationAlpha = 0.05;

export interface CellConfirmation {
  readonly cell: GateCell;
  readonly isConfirmed: boolean;
  readonly rounds: number;
  /** exp of the mean log ratio of the fresh rounds alone; NaN without rounds. */
  readonly ratio: number;
}

export interface Confirmation {
  /** Whether any cell is confirmed. Otherwise the job is inconclusive. */
  readonly isConfirmed: boolean;
  readonly rounds: number;
  readonly cells: readonly CellConfirmation[];
}

/** With fewer rounds a test at 5 % is too coarse; more are not worth their time. */
const fewest = 8;
const most = 24;

/** Rounds between two looks: each look reduces the power of later ones. */
const lookEvery = 4;

/** Returns the numbers of rounds after which a confirmation looks. It may end at the first look that confirms a cell. */
export function confirmationLooks(planned: number): readonly number[] {
  const early = Array.from({ length: most }, (_, index) => fewest + index * lookEvery);
  return [...early.filter((look) => look < planned), planned];
}

/**
 * Tests fresh rounds of the failed cells: whether the effect of any exceeds `tolerate`, at 5 % over these cells and all looks so far (max-T over
 * joint sign flips, group-sequential like a job). Throws what {@link judge} throws.
 * @param planned maximum number of rounds, fixed before the first of them; by default all given rounds
 */
export function confirm(
  fresh: GateRounds,
  settings: GateSettings,
  planned: number = fresh.values.length,
): Confirmation {
  checkGateSettings(settings);
  checkGateRounds(fresh);
  const { cells, values } = fresh;
  const group = signGroup(settings.flips, planned, settings.seed);
  const sums = createFlipSums(group, cells.length, values.length);
  const mostPaths = group.pathsAfter(values.length);
  const test = createJobTest(sums, {
    cells: cells.length,
    mostPaths,
    centre: Math.log1p(settings.tolerate),
    level: confirmationAlpha,
  });
  const looks = confirmationLooks(planned);
  values.forEach((round, done) => {
    sums.add(round);
    if (looks.includes(done + 1)) test.look(spentLevel(1, done + 1, planned, passSpending));
  });
  const judged = cells.map((cell, index) => ({
    cell,
    isConfirmed: test.looks.some(({ seen, critical }) => (seen[index] as number) > critical),
    rounds: sums.valuesOf(index).length,
    ratio: Math.exp(mean(sums.valuesOf(index)) ?? Number.NaN),
  }));
  return { isConfirmed: judged.some(({ isConfirmed }) => isConfirmed), rounds: values.length, cells: judged };
}

/**
 * Returns the maximum number of fresh rounds of a confirmation, from 8 to 24. It finds a change of `detect` in each failed cell with 99.9 %
 * probability at the noise seen (cells just found worse look quieter than they are). That noise is fixed before the first fresh round, so the test
 * keeps its level.
 */
export function confirmationRounds(
  judgement: { readonly cells: readonly Pick<CellJudgement, "state" | "deviation">[] },
  { tolerate, detect }: Pick<GateSettings, "tolerate" | "detect">,
): number {
  const failed = judgement.cells.filter(({ state }) => state === "worse");
  const gap = Math.log1p(detect) - Math.log1p(tolerate);
  // One-sided normal quantiles: 1.96 is 2.5 % (one of two cells at 5 %), 3.09 is the power. Two more rounds account for the t distribution's tails.
  const needed = failed
    .map(({ deviation }) => ((1.96 + 3.09) * deviation) / gap)
    .map((root) => Math.ceil(root ** 2) + 2);
  return Math.min(most, Math.max(fewest, ...needed.filter(Number.isFinite)));
}
