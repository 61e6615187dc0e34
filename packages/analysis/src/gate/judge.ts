// The gate: whether a version is slower than another, from the log ratios of rounds that measured both.
import { deviation, mean } from "d3-array";
import {
  createCellTest,
  createJobTest,
  createRepeatedIntervals,
  failSpent,
  passSpending,
  spentLevel,
} from "./sign-flip-tests.ts";
import { createFlipSums } from "./flip-sums.ts";
import {
  checkGateRounds,
  type CellJudgement,
  type GateJudgement,
  type GateState,
  type GateCell,
  type GateRounds,
} from "./gate-judgement.ts";
import { checkGateSettings, type GateSettings } from "./gate-settings.ts";
import { signGroup } from "./sign-group.ts";
import { hodgesLehmann } from "../statistics/describe-samples.ts";
import { type Interval, twoSidedT } from "../statistics/student-t.ts";

const power = 0.9;

/** Factor of rounds that a test with looks before the end needs for the same power: from simulated jobs with the default looks. */
const priceOfLooks = 1.1;

/**
 * Returns the change d that `rounds` rounds with this standard deviation of log ratios find with 90 % probability. For a t test of "at most τ" at α /
 * cells, ln((1 + d) / (1 + τ)) = (t(1 − α / cells) + t(0.9)) · sd / √rounds, with rounds − 1 degrees of freedom. The gate looks before the end, and
 * so needs a tenth more rounds; with correlated cells slightly fewer. NaN where fewer than two rounds give no deviation.
 */
export function smallestDetectable(
  noise: number,
  cells: number,
  rounds: number,
  { tolerate, alpha }: Pick<GateSettings, "tolerate" | "alpha">,
): number {
  if (!Number.isFinite(noise) || rounds < 2) return Number.NaN;
  const critical = twoSidedT(1 - (2 * alpha) / cells, rounds - 1);
  const found = twoSidedT(2 * power - 1, rounds - 1);
  return (1 + tolerate) * Math.exp((critical + found) * noise * Math.sqrt(priceOfLooks / rounds)) - 1;
}

/** The test results of one cell; bounds are logarithms. */
interface CellOutcome {
  readonly values: readonly number[];
  readonly isWorse: boolean;
  readonly interval: Interval;
  readonly atMost: number;
}

function cellJudgement(cell: GateCell, outcome: CellOutcome, cells: number, settings: GateSettings): CellJudgement {
  const { values, isWorse, interval, atMost } = outcome;
  const passes = atMost < Math.log1p(settings.detect);
  const planned = settings.looks.at(-1) as number;
  const noise = deviation(values) ?? Number.NaN;
  return {
    cell,
    state: isWorse ? "worse" : passes ? "not-worse" : "undecided",
    better: interval.high < -Math.log1p(settings.tolerate),
    rounds: values.length,
    ratio: Math.exp(mean(values) ?? Number.NaN),
    low: Math.exp(interval.low),
    high: Math.exp(interval.high),
    deviation: noise,
    pseudoMedian: values.length > 0 ? Math.exp(hodgesLehmann(values)) : Number.NaN,
    atMost: Math.exp(atMost),
    smallestDetectable: smallestDetectable(noise, cells, planned, settings),
  };
}

function stateOf(cells: readonly CellJudgement[], isLast: boolean): GateState {
  if (cells.some(({ state }) => state === "worse")) return "fail";
  if (cells.every(({ state }) => state === "not-worse")) return "pass";
  return isLast ? "inconclusive" : "undecided";
}

/**
 * Judges a job at the last look that its rounds have reached; later rounds wait for the next look. The promised errors are those of all looks
 * together, if the job ends at the first FAIL or PASS. The same rounds and settings give the same judgement. Throws `bad-option`, `no-samples` or
 * `ragged-columns` (AnalysisError).
 */
export function judge(rounds: GateRounds, settings: GateSettings): GateJudgement {
  checkGateSettings(settings);
  checkGateRounds(rounds);
  const { cells, values } = rounds;
  const { looks, alpha, passAlpha } = settings;
  const planned = looks.at(-1) as number;
  const reached = looks.filter((look) => look <= values.length);
  const judged = reached.at(-1) ?? values.length;
  const group = signGroup(settings.flips, planned, settings.seed);
  const mostPaths = group.pathsAfter(judged);
  const sums = createFlipSums(group, cells.length, judged);
  const worse = createJobTest(sums, {
    cells: cells.length,
    mostPaths,
    centre: Math.log1p(settings.tolerate),
    level: alpha,
  });
  const passing = cells.map((_, cell) =>
    createCellTest(sums, { cell, mostPaths, centre: Math.log1p(settings.detect), level: passAlpha }),
  );
  const intervals = createRepeatedIntervals(sums, cells.length, mostPaths);
  let bounds: readonly Interval[] = cells.map(() => ({ low: -Infinity, high: Infinity }));
  let atMost = cells.map(() => Infinity);
  const spentOnFail = failSpent(reached, planned, cells.length, (cell, from, to) =>
    values.slice(from, to).some((round) => Number.isFinite(round[cell])),
  );
  for (let done = 0; done < judged; done += 1) {
    sums.add(values[done] ?? []);
    const look = reached.indexOf(done + 1);
    if (look < 0) continue;
    worse.look(spentOnFail[look] ?? 0);
    const share = spentLevel(1, done + 1, planned, passSpending);
    atMost = passing.map((cell) => cell.look(share));
    bounds = intervals.look(share);
  }
  const judgements = cells.map((cell, index) => {
    const isWorse = worse.looks.some(({ seen, critical }) => (seen[index] as number) > critical);
    const outcome = {
      values: sums.valuesOf(index),
      isWorse,
      interval: bounds[index] as Interval,
      atMost: atMost[index] as number,
    };
    return cellJudgement(cell, outcome, cells.length, settings);
  });
  const spentAlpha = alpha * (spentOnFail.at(-1) ?? 0);
  const spentPassAlpha = reached.length > 0 ? spentLevel(passAlpha, judged, planned, passSpending) : 0;
  return {
    state: reached.length === 0 ? "undecided" : stateOf(judgements, judged === planned),
    look: reached.length,
    rounds: judged,
    plannedRounds: planned,
    spentAlpha,
    canFail: spentAlpha * mostPaths >= 1,
    canPass: spentPassAlpha * mostPaths >= 1,
    cells: judgements,
  };
}
