// Tests a published finding by ratios of arms, in every cell of a run that has the arms. A ratio of latencies has the interval of its rounds, if the run
// compared the arms; others have what the intervals of the two means allow, which is wider.
import { counted, fewestBeyondChance, inverted, ratioText, type Analysis, type Metric } from "@roundtrip/analysis";
import { keyOf, type Arm, type ArmSelector, type ArmTest, type Scalar } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";
import { factorValue, variantLabel } from "./arm-label.ts";

/** What a run shows of a finding. */
export interface Shown {
  /** A sentence without its full stop. */
  readonly here: string;
  /** null where the reader has to judge. */
  readonly verdict: "holds" | "does not hold" | "cannot tell" | null;
}

/** A ratio, or a power, with its 95 % interval; the ends are null with too few rounds. */
interface Value {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** A value and the limits that it must keep. */
interface TestedCell extends Value {
  /** `gRPC to REST`, and what else its arms have in common. */
  readonly label: string;
  readonly atLeast: number;
  readonly atMost: number;
}

type Properties = Readonly<Record<string, Scalar>>;

function propertiesOf({ task, style, variant, factors }: Arm): Properties {
  return { task, style, variant, ...factors };
}

function matches(arm: Arm, selector: ArmSelector): boolean {
  const properties = propertiesOf(arm);
  return Object.entries(selector).every(([name, value]) => properties[name] === value);
}

function without(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}

function meanOf({ summaries }: Analysis, { id }: Arm, metrics: readonly string[]): Value | null {
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

function ratioOf(analysis: Analysis, of: Arm, to: Arm, metrics: readonly string[]): Value | null {
  if (metrics.length === 1 && metrics[0] === "latencyMs") {
    const compared = analysis.comparisons
      .flatMap((comparison) => [comparison, inverted(comparison)])
      .find(({ numeratorId, denominatorId }) => numeratorId === of.id && denominatorId === to.id);
    if (compared !== undefined) return { ...compared, value: compared.ratio };
  }
  const [above, below] = [meanOf(analysis, of, metrics), meanOf(analysis, to, metrics)];
  if (above === null || below === null || below.value === 0) return null;
  return {
    value: above.value / below.value,
    low: above.low === null || below.high === null ? null : above.low / below.high,
    high: above.high === null || below.low === null || below.low <= 0 ? null : above.high / below.low,
  };
}

function labelOf(properties: Properties): string {
  return Object.entries(properties)
    .filter(([name]) => name !== "task")
    .map(([name, value]) => {
      if (name === "style") return String(value);
      return name === "variant" ? variantLabel(String(value)) : factorValue(name, value);
    })
    .join(", ");
}

type Limits = Pick<TestedCell, "atLeast" | "atMost">;

/** The ratio of every two arms that the selectors choose and that are equal otherwise. */
function ratioCells(
  analysis: Analysis,
  arms: readonly Arm[],
  { of, to, metrics }: { readonly of: ArmSelector; readonly to: ArmSelector; readonly metrics: readonly string[] },
  limits: Limits,
): readonly TestedCell[] {
  const named = [...Object.keys(of), ...Object.keys(to)];
  const commonOf = (arm: Arm): Properties => without(propertiesOf(arm), named);
  const denominators = Map.groupBy(
    arms.filter((arm) => matches(arm, to)),
    (arm) => keyOf(commonOf(arm)),
  );
  return arms
    .filter((arm) => matches(arm, of))
    .flatMap((arm) => {
      const [denominator] = denominators.get(keyOf(commonOf(arm))) ?? [];
      const value = denominator && ratioOf(analysis, arm, denominator, metrics);
      if (value === undefined || value === null) return [];
      const common = labelOf(commonOf(arm));
      return [{ ...value, ...limits, label: `${labelOf(of)} to ${labelOf(to)}${common === "" ? "" : `: ${common}`}` }];
    });
}

/** The power of the factor with which each series grows from its lowest to its highest level. */
function growthCells(
  analysis: Analysis,
  arms: readonly Arm[],
  { of, factor, metrics }: { readonly of: ArmSelector; readonly factor: string; readonly metrics: readonly string[] },
  limits: Limits,
): readonly TestedCell[] {
  const levelOf = (arm: Arm): number => Number(arm.factors[factor]);
  const series = Map.groupBy(
    arms.filter((arm) => matches(arm, of) && levelOf(arm) > 0),
    (arm) => keyOf(without(propertiesOf(arm), [factor])),
  );
  return [...series.values()].flatMap((ofSeries) => {
    const sorted = ofSeries.toSorted((left, right) => levelOf(left) - levelOf(right));
    const [first, last] = [sorted[0], sorted.at(-1)];
    if (first === undefined || last === undefined || first === last) return [];
    const ratio = ratioOf(analysis, last, first, metrics);
    if (ratio === null) return [];
    const power = (value: number): number => Math.log(value) / Math.log(levelOf(last) / levelOf(first));
    return [
      {
        value: power(ratio.value),
        low: ratio.low === null ? null : power(ratio.low),
        high: ratio.high === null ? null : power(ratio.high),
        ...limits,
        label: labelOf(without(propertiesOf(first), [factor])),
      },
    ];
  });
}

function cellsOf(analysis: Analysis, arms: readonly Arm[], test: ArmTest): readonly TestedCell[] {
  const { metrics } = test;
  if (test.kind === "order") {
    return test.arms
      .slice(1)
      .flatMap((to, index) =>
        ratioCells(analysis, arms, { of: test.arms[index] ?? {}, to, metrics }, { atLeast: 0, atMost: 1 }),
      );
  }
  const limits = { atLeast: test.atLeast ?? Number.NEGATIVE_INFINITY, atMost: test.atMost ?? Number.POSITIVE_INFINITY };
  return test.kind === "ratio" ? ratioCells(analysis, arms, test, limits) : growthCells(analysis, arms, test, limits);
}

function isWithin({ low, high, atLeast, atMost }: TestedCell): boolean {
  return low !== null && high !== null && low >= atLeast && high <= atMost;
}

function isBeyond({ low, high, atLeast, atMost }: TestedCell): boolean {
  return low !== null && high !== null && (high < atLeast || low > atMost);
}

function valueText({ label, value, low, high }: TestedCell): string {
  const interval = low === null || high === null ? "" : ` (${ratioText(low)} to ${ratioText(high)})`;
  return `${ratioText(value)}${interval} for ${label}`;
}

/**
 * A finding holds if every cell's interval keeps the limits, and does not if more are beyond them than chance explains: a cell that noise leaves open
 * decides nothing. Null without a cell. Libraries of a style are represented by its default stack.
 */
export function judgedArms({ analysis }: ReportInput, study: string, test: ArmTest): Shown | null {
  const arms = analysis.arms.filter(
    (arm) => arm.study === study && arm.role === "style" && arm.isDefaultStack !== false,
  );
  const cells = cellsOf(analysis, arms, test).toSorted((left, right) => left.value - right.value);
  const [least, most] = [cells[0], cells.at(-1)];
  if (least === undefined || most === undefined) return null;
  const beyond = cells.filter(isBeyond);
  const open = cells.filter((cell) => !isBeyond(cell) && !isWithin(cell));
  const within = cells.length - beyond.length - open.length;
  const counts = `${within} of ${counted(cells.length, "cell")} within, ${beyond.length} beyond, ${open.length} open`;
  const ends = least === most ? valueText(least) : `${valueText(least)}, up to ${valueText(most)}`;
  return {
    verdict:
      beyond.length >= fewestBeyondChance(cells.length)
        ? "does not hold"
        : within < cells.length
          ? "cannot tell"
          : "holds",
    here: `${counts}; ${test.kind === "growth" ? `powers of ${test.factor}` : "ratios"} from ${ends}`,
  };
}
