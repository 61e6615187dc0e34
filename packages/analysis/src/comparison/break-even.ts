// At which levels of a factor (attributes, invoices, levels of links, needed fields) one coarse call beats another way to do the task. Where each further
// unit makes as many further calls, latencies lie on lines: then also where these cross, and what one more unit costs.
import { groupsOf } from "./stack-pairs.ts";
import { factorKey, stackAsSet, workFactors, type Arm, type Scalar, type StackAsSet } from "@roundtrip/runs";
import { mean } from "d3-array";
import { distanceFactor } from "../distance/distance-lines.ts";
import { fiellerInterval, lineFit, tInterval, type Line, type ValuesByRound } from "../statistics/student-t.ts";

export interface BreakEven extends StackAsSet {
  readonly study: string;
  readonly task: string;
  /** What varies, such as `attributes`. */
  readonly factor: string;
  /** All other factors. */
  readonly factors: Readonly<Record<string, Scalar>>;
  readonly against: string;
  /** The levels that were measured, ascending. */
  readonly levels: readonly number[];
  /** Those where the façade, or the other variant, is surely faster, by intervals that hold together in 95 % of cases. */
  readonly facadeAt: readonly number[];
  readonly otherAt: readonly number[];
  /** Absent where units differ in cost: the ten calls of one level of links are not the hundred of the next. */
  readonly line?: BreakEvenLine;
}

/** Of lines fitted through both variants, in each round. */
export interface BreakEvenLine {
  /** Where they cross, as a level; null outside of the levels measured. */
  readonly at: number | null;
  /** 95 % interval of the crossing over rounds (Fieller); null with too few rounds, or when it is unbounded. */
  readonly low: number | null;
  readonly high: number | null;
  /** On which side of the crossing the façade is faster. */
  readonly side: "above" | "below";
  /** Milliseconds that one more unit costs, by the façade, with its 95 % interval over rounds, and by the other variant. */
  readonly facadeMsPerUnit: number;
  readonly facadeLow: number | null;
  readonly facadeHigh: number | null;
  readonly otherMsPerUnit: number;
}

type Series = ReadonlyMap<number, ValuesByRound>;

interface Swept {
  readonly factor: string;
  readonly arms: readonly [Arm, ...Arm[]];
}

function seriesOf({ arms, factor }: Swept, variant: string, meansOf: ReadonlyMap<string, ValuesByRound>): Series {
  return new Map(
    arms
      .filter((arm) => arm.variant === variant)
      .map((arm) => [Number(arm.factors[factor]), meansOf.get(arm.id) ?? []] as const)
      .toSorted(([one], [other]) => one - other),
  );
}

function lineOfRound(series: Series, counts: readonly number[], round: number): Line | null {
  const points = counts.map((x) => ({ x, y: mean(series.get(x)?.[round] ?? []) ?? Number.NaN }));
  return points.some(({ y }) => Number.isNaN(y)) ? null : lineFit(points);
}

/** Who is surely faster at a level: 1 for the façade, -1 for the other, 0 for neither. @param family the levels that decide together */
function leadAt(level: number, facade: Series, other: Series, family: number): number {
  const logs = (facade.get(level) ?? []).flatMap((blocks, round) => {
    const [ofFacade, ofOther] = [mean(blocks), mean(other.get(level)?.[round] ?? [])];
    return ofFacade === undefined || ofOther === undefined ? [] : [Math.log(ofOther / ofFacade)];
  });
  const interval = tInterval(logs, 1 - 0.05 / family);
  if (interval === null || interval.low * interval.high <= 0) return 0;
  return Math.sign(interval.low);
}

/** The calls that each further unit of the factor adds to a variant; null where units differ. */
function callsPerUnit({ arms, factor }: Swept, variant: string): number | null {
  const [first, ...later] = arms
    .filter((arm) => arm.variant === variant)
    .map(({ factors, callsPerTask }) => ({ level: Number(factors[factor]), calls: callsPerTask }));
  const each = new Set(later.map(({ level, calls }) => (calls - (first?.calls ?? 0)) / (level - (first?.level ?? 0))));
  return each.size === 1 ? ([...each][0] ?? null) : null;
}

/** Whether each further unit of the factor adds as many calls, and some to this variant: then latencies lie on lines. */
function hasLines(swept: Swept, against: string): boolean {
  const variants = [...new Set(swept.arms.map(({ variant }) => variant))];
  return variants.every((variant) => callsPerUnit(swept, variant) !== null) && (callsPerUnit(swept, against) ?? 0) > 0;
}

/** Undefined where no round measured all levels. */
function lineOf(facade: Series, other: Series, levels: readonly number[]): BreakEvenLine | undefined {
  const rounds = Math.max(...[...facade.values(), ...other.values()].map((blocks) => blocks.length));
  const lines = Array.from({ length: rounds }, (_, round) => ({
    facade: lineOfRound(facade, levels, round),
    other: lineOfRound(other, levels, round),
  })).flatMap((both) =>
    both.facade === null || both.other === null ? [] : [{ facade: both.facade, other: both.other }],
  );
  if (lines.length === 0) return undefined;

  // The lines cross where the difference of the slopes uses up the façade's head start of −(a_f − a_o).
  const heads = lines.map((line) => line.facade.intercept - line.other.intercept);
  const slopes = lines.map((line) => line.other.slope - line.facade.slope);
  const crossing = (mean(heads) as number) / (mean(slopes) as number);
  // With one attribute both variants make one call, so the lines tend to cross at about 1, by chance on either side.
  const inRange = crossing >= Math.min(...levels) - 0.5 && crossing <= Math.max(...levels);
  const interval = inRange ? fiellerInterval(heads, slopes) : null;
  const ofFacade = lines.map((line) => line.facade.slope);
  const perUnit = tInterval(ofFacade);
  return {
    at: inRange ? crossing : null,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    side: (mean(slopes) as number) > 0 ? "above" : "below",
    facadeMsPerUnit: mean(ofFacade) as number,
    facadeLow: perUnit?.low ?? null,
    facadeHigh: perUnit?.high ?? null,
    otherMsPerUnit: mean(lines, (line) => line.other.slope) as number,
  };
}

function breakEvenOf(swept: Swept, against: string, facade: Series, other: Series): readonly BreakEven[] {
  const { factor } = swept;
  const [arm] = swept.arms;
  const levels = [...facade.keys()].filter((level) => other.has(level));
  if (levels.length < 2) return [];
  const leads = new Map(levels.map((level) => [level, leadAt(level, facade, other, levels.length)]));
  const [facadeAt, otherAt] = [1, -1].map((lead) => levels.filter((level) => leads.get(level) === lead)) as [
    number[],
    number[],
  ];
  const found = hasLines(swept, against) ? lineOf(facade, other, levels) : undefined;
  // Lines that cross although one variant is surely faster at each level do not fit.
  const isOneSided = [facadeAt, otherAt].some(({ length }) => length === levels.length);
  const line = found && (isOneSided ? { ...found, at: null, low: null, high: null } : found);
  return [
    {
      study: arm.study,
      task: arm.task,
      ...stackAsSet(arm),
      factor,
      factors: Object.fromEntries(Object.entries(arm.factors).filter(([name]) => name !== factor)),
      against,
      levels,
      facadeAt,
      otherAt,
      ...(line === undefined ? {} : { line }),
    },
  ];
}

/** Every factor that a study names, or else of the work, once for each stack and task. Distances have lines of their own. */
function sweptFactors(arms: readonly Arm[]): readonly Swept[] {
  const names = new Set(arms.flatMap((arm) => Object.keys(workFactors(arm)).filter((name) => name !== distanceFactor)));
  return [...names].flatMap((factor) => {
    const leveled = arms.filter(
      ({ factors, breakEvensOver }) =>
        typeof factors[factor] === "number" && (breakEvensOver?.includes(factor) ?? true),
    );
    const alike = groupsOf(leveled, (arm) => JSON.stringify([arm.study, arm.task, arm.stack, factorKey(arm, factor)]));
    return alike.map((group) => ({ factor, arms: group }));
  });
}

/** Break-evens of the façade with each other variant, for every stack, task and factor with two or more levels. */
export function breakEvens(arms: readonly Arm[], meansOf: ReadonlyMap<string, ValuesByRound>): readonly BreakEven[] {
  return sweptFactors(arms.filter(({ role }) => role === "style")).flatMap((swept) => {
    const facade = seriesOf(swept, "facade", meansOf);
    const others = new Set(swept.arms.map((arm) => arm.variant).filter((variant) => variant !== "facade"));
    return [...others].flatMap((against) => breakEvenOf(swept, against, facade, seriesOf(swept, against, meansOf)));
  });
}
