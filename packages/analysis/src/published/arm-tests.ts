// Tests a published finding by ratios of arms, in every cell of a run that has the arms. A ratio has the interval of its rounds; one of figures without
// rounds, as authors print them, has what the intervals of the two means allow, which is wider.
import { keyOf, type Arm, type ArmSelector, type ArmTest, type Scalar } from "@roundtrip/runs";
import { inverted } from "../comparison/compare-run.ts";
import type { Comparison } from "../comparison/comparison.ts";
import type { RoundTrips } from "../distance/round-trips.ts";
import type { Metric, Summary } from "../metrics/summarise.ts";
import { fewestBeyondChance } from "../statistics/binomial.ts";
import { tInterval } from "../statistics/student-t.ts";

export type Verdict = "holds" | "does not hold" | "cannot tell";

/** What the cells of a run, or of published figures, show of a finding. */
export interface JudgedArms {
  readonly verdict: Verdict;
  /** From the least value to the largest, at least one. */
  readonly cells: readonly [TestedCell, ...TestedCell[]];
  /** Numbers of cells: surely within the limits, surely beyond them, and neither. */
  readonly within: number;
  readonly beyond: number;
  readonly open: number;
  /** Where there are several styles and not all cells are within: the styles whose cells all are. */
  readonly stylesWithin: readonly string[];
}

/** What tests need of a run, or of published figures. */
export interface TestedFigures {
  readonly arms: readonly Arm[];
  readonly summaries: readonly Pick<Summary, "armId" | "metric" | "mean" | "meanLow" | "meanHigh" | "roundMeans">[];
  readonly comparisons: readonly Comparison[];
  readonly roundTrips: readonly Pick<RoundTrips, "armIds" | "isFirstCall" | "perCall" | "low" | "high">[];
}

/** A ratio, or a power, with its 95 % interval; the ends are null with too few rounds. */
export interface Value {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  /** Whether the intervals of all cells of a test hold together in 95 % of cases, instead of each. */
  readonly isTogether?: boolean;
}

type Properties = Readonly<Record<string, Scalar>>;

interface Compared {
  /** Where its two arms differ; null for a figure of one arm. */
  readonly pair: readonly [of: Properties, to: Properties] | null;
  /** What its arms have in common. */
  readonly common: Properties;
}

/** A value and the limits that it must keep. */
export interface TestedCell extends Value, Compared {
  /** What the second arm of a ratio takes where it is in process: the time of the work without a call. */
  readonly inProcessMs?: number;
  readonly atLeast: number;
  readonly atMost: number;
}

export function propertiesOf({ task, style, variant, factors }: Arm): Properties {
  return { task, style, variant, ...factors };
}

/** Arms in process and of the floor only match a selector that names them. */
function matches(arm: Arm, selector: ArmSelector): boolean {
  const properties = propertiesOf(arm);
  if (arm.role !== "style" && selector["style"] !== arm.style) return false;
  return Object.entries(selector).every(([name, value]) => (properties[name] ?? "") === value);
}

function without(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}

function meanOf({ summaries }: TestedFigures, { id }: Arm, metrics: readonly string[]): Value | null {
  const rows = metrics.map((metric) =>
    summaries.find(({ armId, metric: own }) => armId === id && own === (metric as Metric)),
  );
  return rows.reduce<Value | null>(
    (sum, row) =>
      sum === null || row === undefined
        ? null
        : {
            value: sum.value + row.mean,
            low: sum.low === null || row.meanLow === null ? null : sum.low + row.meanLow,
            high: sum.high === null || row.meanHigh === null ? null : sum.high + row.meanHigh,
          },
    { value: 0, low: 0, high: 0 },
  );
}

/** The sums of an arm's metrics by round; empty where one has no rounds or lacks one of them. */
function sumsByRound({ summaries }: TestedFigures, { id }: Arm, metrics: readonly string[]): readonly number[] {
  const rounds = metrics.map(
    (metric) => summaries.find(({ armId, metric: own }) => armId === id && own === metric)?.roundMeans ?? [],
  );
  const [first = []] = rounds;
  if (rounds.some(({ length }) => length !== first.length)) return [];
  return first.map((_, round) => rounds.reduce((sum, means) => sum + (means[round] ?? 0), 0));
}

/** The ratio by the rounds of both arms; null where they lack rounds, or a round has no share in a ratio. Intervals of `family` ratios hold together. */
export function roundsRatio(above: readonly number[], below: readonly number[], family: number): Value | null {
  if (above.length === 0 || above.length !== below.length) return null;
  if ([...above, ...below].some((value) => value <= 0)) return null;
  const logs = above.map((value, round) => Math.log(value / (below[round] ?? Number.NaN)));
  const interval = tInterval(logs, 1 - errorRate / family);
  return {
    value: Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length),
    low: interval && Math.exp(interval.low),
    high: interval && Math.exp(interval.high),
    isTogether: true,
  };
}

const errorRate = 0.05;

interface RatioMetrics {
  readonly metrics: readonly string[];
  readonly toMetrics: readonly string[];
  /** The number of ratios that the test needs. */
  readonly family: number;
}

function ratioOf(figures: TestedFigures, of: Arm, to: Arm, { metrics, toMetrics, family }: RatioMetrics): Value | null {
  const [above, below] = [meanOf(figures, of, metrics), meanOf(figures, to, toMetrics)];
  if (above === null || below === null || below.value === 0) return null;
  if ([...metrics, ...toMetrics].every((metric) => metric === "latencyMs")) {
    const compared = figures.comparisons
      .flatMap((comparison) => [comparison, inverted(comparison)])
      .find(({ numeratorId, denominatorId }) => numeratorId === of.id && denominatorId === to.id);
    // Intervals of a larger family are wider than this test needs.
    if (compared !== undefined && compared.familySize === family)
      return { ...compared, value: compared.ratio, isTogether: true };
  }
  const byRounds = roundsRatio(sumsByRound(figures, of, metrics), sumsByRound(figures, to, toMetrics), family);
  if (byRounds !== null) return byRounds;
  return {
    value: above.value / below.value,
    low: above.low === null || below.high === null ? null : above.low / below.high,
    high: above.high === null || below.low === null || below.low <= 0 ? null : above.high / below.low,
  };
}

type Limits = Pick<TestedCell, "atLeast" | "atMost">;

type RatioTest = Extract<ArmTest, { kind: "ratio" }>;
type GrowthTest = Extract<ArmTest, { kind: "growth" }>;
type RoundTripsTest = Extract<ArmTest, { kind: "round-trips" }>;

const latency = ["latencyMs"];

/** Finds, for an arm, the one that `to` selects and that is equal in all that neither selector names. */
function counterpart(arms: readonly Arm[], of: ArmSelector, to: ArmSelector): (arm: Arm) => Arm | undefined {
  const named = [...Object.keys(of), ...Object.keys(to)];
  const keyOfRest = (arm: Arm): string => keyOf(without(propertiesOf(arm), named));
  const selected = Map.groupBy(
    arms.filter((arm) => matches(arm, to)),
    keyOfRest,
  );
  return (arm) => selected.get(keyOfRest(arm))?.[0];
}

/** Where the selectors differ, and what both arms share. */
function pairOf(arm: Arm, of: ArmSelector, to: ArmSelector): Compared {
  const differing = [...new Set([...Object.keys(of), ...Object.keys(to)])].filter((name) => of[name] !== to[name]);
  const only = (properties: Properties): Properties =>
    Object.fromEntries(Object.entries(properties).filter(([name]) => differing.includes(name)));
  const pair = differing.length === 0 ? null : ([only(propertiesOf(arm)), only(to)] as const);
  return { pair, common: without(propertiesOf(arm), differing) };
}

/** The ratio of every two arms that the selectors choose and that are equal otherwise. @param tests how many such tests decide together */
export function ratioCells(
  figures: TestedFigures,
  { of, to, metrics = latency, toMetrics = metrics }: Omit<RatioTest, "kind" | keyof Limits>,
  limits: Limits,
  tests = 1,
): readonly TestedCell[] {
  const otherOf = counterpart(figures.arms, of, to);
  const pairs = figures.arms.flatMap((arm) => {
    const other = matches(arm, of) ? otherOf(arm) : undefined;
    return other === undefined ? [] : [{ arm, other }];
  });
  return pairs.flatMap(({ arm, other }) => {
    const value = ratioOf(figures, arm, other, { metrics, toMetrics, family: tests * pairs.length });
    if (value === null) return [];
    const inProcess = other.role === "in-process" ? meanOf(figures, other, latency) : null;
    const work = inProcess === null ? {} : { inProcessMs: inProcess.value };
    return [{ ...value, ...limits, ...pairOf(arm, of, to), ...work }];
  });
}

/** The power of the factor with which each series grows from its lowest to its highest level. */
function growthCells(
  figures: TestedFigures,
  { of, factor, metrics = latency }: GrowthTest,
  limits: Limits,
): readonly TestedCell[] {
  const levelOf = (arm: Arm): number => Number(arm.factors[factor]);
  const series = Map.groupBy(
    figures.arms.filter((arm) => matches(arm, of) && levelOf(arm) > 0),
    (arm) => keyOf(without(propertiesOf(arm), [factor])),
  );
  return [...series.values()].flatMap((ofSeries) => {
    const sorted = ofSeries.toSorted((left, right) => levelOf(left) - levelOf(right));
    const [first, last] = [sorted[0], sorted.at(-1)];
    if (first === undefined || last === undefined || first === last) return [];
    const ratio = ratioOf(figures, last, first, { metrics, toMetrics: metrics, family: series.size });
    if (ratio === null) return [];
    const power = (value: number): number => Math.log(value) / Math.log(levelOf(last) / levelOf(first));
    return [
      {
        value: power(ratio.value),
        low: ratio.low === null ? null : power(ratio.low),
        high: ratio.high === null ? null : power(ratio.high),
        isTogether: ratio.isTogether ?? false,
        ...limits,
        pair: null,
        common: without(propertiesOf(first), [factor]),
      },
    ];
  });
}

/** Round trips per call over the distances of an arm, or how many more they are than those of `beyond`. Both ends' intervals add up. */
function roundTripsCells(
  { arms, roundTrips }: TestedFigures,
  { of, beyond }: RoundTripsTest,
  limits: Limits,
): readonly TestedCell[] {
  const lines = roundTrips
    .filter(({ isFirstCall }) => !isFirstCall)
    .flatMap(({ armIds, ...line }) => {
      const arm = arms.find(({ id }) => id === armIds[0]);
      // A line is over all distances.
      return arm === undefined ? [] : [{ ...line, arm: { ...arm, factors: without(arm.factors, ["rttMs"]) } }];
    });
  const placed = lines.map(({ arm }) => arm);
  const otherOf = beyond && counterpart(placed, of, beyond);
  return lines.flatMap(({ arm, perCall, low, high }) => {
    if (!matches(arm, of)) return [];
    if (beyond === undefined) return [{ value: perCall, low, high, ...limits, pair: null, common: propertiesOf(arm) }];
    const other = otherOf?.(arm);
    const base = lines.find((line) => line.arm === other);
    if (base === undefined) return [];
    return [
      {
        value: perCall - base.perCall,
        low: low === null || base.high === null ? null : low - base.high,
        high: high === null || base.low === null ? null : high - base.low,
        ...limits,
        ...pairOf(arm, of, beyond),
      },
    ];
  });
}

function cellsOf(figures: TestedFigures, test: ArmTest): readonly TestedCell[] {
  if (test.kind === "order") {
    const steps = test.arms.length - 1;
    return test.arms
      .slice(1)
      .flatMap((to, index) =>
        ratioCells(figures, { ...test, of: test.arms[index] ?? {}, to }, { atLeast: 0, atMost: 1 }, steps),
      );
  }
  const limits = { atLeast: test.atLeast ?? Number.NEGATIVE_INFINITY, atMost: test.atMost ?? Number.POSITIVE_INFINITY };
  if (test.kind === "ratio") return ratioCells(figures, test, limits);
  return test.kind === "growth" ? growthCells(figures, test, limits) : roundTripsCells(figures, test, limits);
}

function isWithin({ low, high, atLeast, atMost }: TestedCell): boolean {
  return low !== null && high !== null && low >= atLeast && high <= atMost;
}

function isBeyond({ low, high, atLeast, atMost }: TestedCell): boolean {
  return low !== null && high !== null && (high < atLeast || low > atMost);
}

/** The arms of one stack of each style: of its default one or, in a study without it, of its only one. */
export function representing(arms: readonly Arm[]): readonly Arm[] {
  const styles = Map.groupBy(arms, ({ style }) => style);
  return [...styles.values()].flatMap((ofStyle) => {
    // Calls in process are a style of their own here.
    const isOnlyOne = new Set(ofStyle.map(({ stack }) => stack)).size === 1;
    return isOnlyOne ? ofStyle : ofStyle.filter(({ isDefaultStack }) => isDefaultStack !== false);
  });
}

/**
 * Judges cells: a finding holds if every cell's interval keeps the limits, and does not if one is surely beyond them, or more than chance explains where intervals do
 * not hold together: a cell that noise leaves open decides nothing. Null without a cell.
 */
export function judgedCells(unsorted: readonly TestedCell[]): JudgedArms | null {
  const cells = unsorted.toSorted((left, right) => left.value - right.value);
  const [least, ...others] = cells;
  if (least === undefined) return null;
  const beyond = cells.filter(isBeyond).length;
  const within = cells.filter(isWithin).length;
  const fewest = cells.every(({ isTogether }) => isTogether === true) ? 1 : fewestBeyondChance(cells.length);
  const verdict = beyond >= fewest ? "does not hold" : within < cells.length ? "cannot tell" : "holds";
  const styles = Map.groupBy(cells, ({ common }) => String(common["style"] ?? ""));
  const stylesWithin = [...styles].flatMap(([style, some]) => (style !== "" && some.every(isWithin) ? style : []));
  const open = cells.length - within - beyond;
  return {
    verdict,
    cells: [least, ...others],
    within,
    beyond,
    open,
    stylesWithin: verdict === "holds" ? [] : stylesWithin,
  };
}

/** Null without a cell. */
export function judgedArms(figures: TestedFigures, study: string, test: ArmTest): JudgedArms | null {
  const arms = representing(figures.arms.filter((arm) => arm.study === study));
  return judgedCells(cellsOf({ ...figures, arms }, test));
}
