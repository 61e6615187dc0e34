// What a FAIL needs before it blocks anybody: the cells that failed are measured again, by processes and in directories that were not there before.
import { mean } from "d3-array";
import { tie } from "./boundary.ts";
import { createFlipSums } from "./flip-sums.ts";
import type { CellJudgement } from "./gate-judgement.ts";
import { checkGateRounds, type GateCell, type GateRounds } from "./gate-rounds.ts";
import { checkGateSettings, type GateSettings } from "./gate-settings.ts";
import { createJobTest } from "./job-test.ts";
import { signGroup } from "./sign-group.ts";

/** The probability of confirming, among the cells that are tested again, one that is not beyond `tolerate`. */
export const confirmationAlpha = 0.05;

export interface CellConfirmation {
  readonly cell: GateCell;
  readonly isConfirmed: boolean;
  /** Rounds that gave this cell a value. */
  readonly rounds: number;
  /** exp of the mean log ratio of the fresh rounds alone; NaN without any. */
  readonly ratio: number;
  /** The part of all sign flips under which some cell looks as bad as this one; the cell is confirmed where it is at most 5 %. */
  readonly adjustedP: number;
}

export interface Confirmation {
  /** Whether any cell is confirmed: without, the job is inconclusive. */
  readonly isConfirmed: boolean;
  readonly rounds: number;
  readonly cells: readonly CellConfirmation[];
}

/**
 * Tests fresh rounds of the failed cells once: is the effect of any beyond `tolerate`, at 5 % over these cells (max-T over joint sign flips)? How
 * many rounds there are must have been settled before the first of them. Throws what {@link judge} throws.
 */
export function confirm(fresh: GateRounds, settings: GateSettings): Confirmation {
  checkGateSettings(settings);
  checkGateRounds(fresh);
  const { cells, values } = fresh;
  const group = signGroup(settings.flips, values.length, settings.seed);
  const sums = createFlipSums(group, cells.length, values.length);
  for (const round of values) sums.add(round);
  const room = group.pathsAfter(values.length);
  const test = createJobTest(sums, cells.length, room, Math.log1p(settings.tolerate), confirmationAlpha);
  const { largest, seen, critical } = test.look(1);
  const judged = cells.map((cell, index) => {
    const statistic = seen[index] as number;
    return {
      cell,
      isConfirmed: statistic > critical,
      rounds: sums.valuesOf(index).length,
      ratio: Math.exp(mean(sums.valuesOf(index)) ?? Number.NaN),
      adjustedP: largest.reduce((count, other) => count + (other >= statistic - tie ? 1 : 0), 0) / room,
    };
  });
  return { isConfirmed: judged.some(({ isConfirmed }) => isConfirmed), rounds: values.length, cells: judged };
}

/** Fewer leave a test at 5 % too coarse, more are not worth their time. */
const fewest = 8;
const most = 24;

/**
 * How many fresh rounds a confirmation takes: as many as find a change of `detect` in each of the failed cells with 99.9 % at the noise that was seen (cells
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
