// The number of attributes from which one coarse call beats many fine ones, and what one more attribute costs each.
import { groupsOf } from "./stack-pairs.ts";
import { factorKey, stackAsSet, type Arm, type Scalar, type StackAsSet } from "@roundtrip/runs";
import { mean } from "d3-array";
import { fiellerInterval, lineFit, type Line, type ValuesByRound } from "../statistics/student-t.ts";

export interface BreakEven extends StackAsSet {
  readonly study: string;
  readonly task: string;
  /** All factors except `attributes`. */
  readonly factors: Readonly<Record<string, Scalar>>;
  readonly against: string;
  /** Where the two fitted lines cross, in attributes; null beyond the largest count measured or more than one below the smallest. */
  readonly attributes: number | null;
  /** 95 % interval of the crossing over rounds (Fieller); null with too few rounds, or when it is unbounded. */
  readonly low: number | null;
  readonly high: number | null;
  /** True when the façade is faster at every measured count. */
  readonly always: boolean;
  /** Milliseconds that one more attribute costs, by the façade and by the other variant. */
  readonly facadeMsPerAttribute: number;
  readonly chattyMsPerAttribute: number;
}

const factor = "attributes";

type Series = ReadonlyMap<number, ValuesByRound>;

function seriesOf(arms: readonly Arm[], variant: string, meansOf: ReadonlyMap<string, ValuesByRound>): Series {
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

function meanOf(series: Series, count: number): number {
  return mean(series.get(count) ?? [], (blocks) => mean(blocks)) ?? Number.NaN;
}

function breakEvenOf(arm: Arm, against: string, facade: Series, chatty: Series): readonly BreakEven[] {
  const counts = [...facade.keys()].filter((count) => chatty.has(count));
  const rounds = Math.max(...[...facade.values(), ...chatty.values()].map((blocks) => blocks.length));
  const lines = Array.from({ length: rounds }, (_, round) => ({
    facade: lineOfRound(facade, counts, round),
    chatty: lineOfRound(chatty, counts, round),
  })).flatMap((both) =>
    both.facade === null || both.chatty === null ? [] : [{ facade: both.facade, chatty: both.chatty }],
  );
  if (counts.length < 2 || lines.length === 0) return [];

  // The lines cross where the difference of the slopes uses up the façade's head start of −(a_f − a_c).
  const heads = lines.map((line) => line.facade.intercept - line.chatty.intercept);
  const slopes = lines.map((line) => line.chatty.slope - line.facade.slope);
  const crossing = (mean(heads) as number) / (mean(slopes) as number);
  const first = counts[0] as number;
  const last = counts.at(-1) as number;
  // With one attribute both variants make one call, so the lines tend to cross at about 1, by chance on either side.
  const inRange = crossing >= first - 1 && crossing <= last && (mean(slopes) as number) > 0;
  const interval = inRange ? fiellerInterval(heads, slopes) : null;
  return [
    {
      study: arm.study,
      task: arm.task,
      ...stackAsSet(arm),
      factors: Object.fromEntries(Object.entries(arm.factors).filter(([name]) => name !== factor)),
      against,
      attributes: inRange ? crossing : null,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      always: counts.every((count) => meanOf(facade, count) < meanOf(chatty, count)),
      facadeMsPerAttribute: mean(lines, (line) => line.facade.slope) as number,
      chattyMsPerAttribute: mean(lines, (line) => line.chatty.slope) as number,
    },
  ];
}

/** Break-even counts of every stack and task with two or more counts, against each other variant. Lines are fitted per round. */
export function breakEvens(arms: readonly Arm[], meansOf: ReadonlyMap<string, ValuesByRound>): readonly BreakEven[] {
  const counted = arms.filter((arm) => arm.role === "style" && typeof arm.factors[factor] === "number");
  const groups = groupsOf(counted, (arm) => JSON.stringify([arm.study, arm.task, arm.stack, factorKey(arm, factor)]));
  return groups.flatMap((group) => {
    const facade = seriesOf(group, "facade", meansOf);
    const others = new Set(group.map((arm) => arm.variant).filter((variant) => variant !== "facade"));
    return [...others].flatMap((against) => breakEvenOf(group[0], against, facade, seriesOf(group, against, meansOf)));
  });
}
