// What a FAIL needs before it blocks anybody: the cells that failed are measured again, by processes and in directories that were not there before.
import { mean } from "d3-array";
import { adjustedP } from "./adjusted-p.ts";
import { createFlipSums } from "./flip-sums.ts";
import type { CellJudgement } from "./gate-judgement.ts";
import { checkGateRounds, type GateCell, type GateRounds } from "./gate-rounds.ts";
import { checkGateSettings, type GateSettings } from "./gate-settings.ts";
import { createJobTest } from "./job-test.ts";
import { signGroup } from "./sign-group.ts";
import { passSpending, spentLevel } from "./spending.ts";

/** The probability of confirming, among the cells that are tested again, one that is not beyond `tolerate`. */
export const confirmationAlpha = 0.05;

export interface CellConfirmation {
  readonly cell: GateCell;
  readonly isConfirmed: boolean;
  /** Rounds that gave this cell a value. */
  readonly rounds: number;
  /** exp of the mean log ratio of the fresh rounds alone; NaN without any. */
  readonly ratio: number;
  /** The smallest level, for all cells and looks, at which this cell would have been confirmed: it is where that is at most 5 %. */
  readonly adjustedP: number;
}

export interface Confirmation {
  /** Whether any cell is confirmed: without, the job is inconclusive. */
  readonly isConfirmed: boolean;
  readonly rounds: number;
  readonly cells: readonly CellConfirmation[];
}

/** Fewer leave a test at 5 % too coarse, more are not worth their time. */
const fewest = 8;
const most = 24;

/** Rounds between two looks: each look takes some of the power from those that come later. */
const lookEvery = 4;

/** After how many of the planned rounds a confirmation is looked at: it may end at the first of these that confirms a cell. */
export function confirmationLooks(planned: number): readonly number[] {
  const early = Array.from({ length: most }, (_, index) => fewest + index * lookEvery);
  return [...early.filter((look) => look < planned), planned];
}

/**
 * Tests fresh rounds of the failed cells: is the effect of any beyond `tolerate`, at 5 % over these cells and over all looks that the rounds have reached (max-T
 * over joint sign flips, group-sequential as a job is)? Throws what {@link judge} throws.
 * @param planned how many rounds there are to be at most, which must have been settled before the first of them; all there are unless given
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
  const probabilities = adjustedP(test.looks, confirmationAlpha);
  const judged = cells.map((cell, index) => ({
    cell,
    isConfirmed: test.looks.some(({ seen, critical }) => (seen[index] as number) > critical),
    rounds: sums.valuesOf(index).length,
    ratio: Math.exp(mean(sums.valuesOf(index)) ?? Number.NaN),
    adjustedP: probabilities[index] ?? 1,
  }));
  return { isConfirmed: judged.some(({ isConfirmed }) => isConfirmed), rounds: values.length, cells: judged };
}

/**
 * How many fresh rounds a confirmation takes at most: as many as find a change of `detect` in each of the failed cells with 99.9 % at the noise that was seen (cells
 * that were just called worse look quieter than they are), from 8 to 24. What was seen is settled before the first fresh round, so that the test keeps its level.
 */
export function confirmationRounds(
  judgement: { readonly cells: readonly Pick<CellJudgement, "state" | "deviation">[] },
  { tolerate, detect }: Pick<GateSettings, "tolerate" | "detect">,
): number {
  const failed = judgement.cells.filter(({ state }) => state === "worse");
  const gap = Math.log1p(detect) - Math.log1p(tolerate);
  // One-sided normal quantiles: 1.96 is 2.5 % (one of two cells at 5 %), 3.09 is the power; two rounds more stand for the t distribution's tails.
  const needed = failed
    .map(({ deviation }) => ((1.96 + 3.09) * deviation) / gap)
    .map((root) => Math.ceil(root ** 2) + 2);
  return Math.min(most, Math.max(fewest, ...needed.filter(Number.isFinite)));
}
