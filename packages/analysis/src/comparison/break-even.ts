// From how many attributes on one coarse call beats many fine ones, and what one more attribute costs either way.
import { groupsOf } from "../basics/groups-of.ts";
import type { StackAsSet } from "../run/stack-ids.ts";
import { mean } from "d3-array";
import { factorKey, stackAsSet } from "../run/arm-factors.ts";
import { fiellerInterval } from "../statistics/fieller.ts";
import { lineFit, type Line } from "../statistics/line-fit.ts";
import type { Arm, Scalar } from "../run/run-facts.ts";
import { tInterval } from "../statistics/student-t.ts";
import type { ValuesByRound } from "../statistics/two-level-bootstrap.ts";

/** From how many attributes on the façade is faster, per stack and task. */
export interface BreakEven extends StackAsSet {
  readonly study: string;
  readonly task: string;
  /** Every factor but `attributes`. */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** The chatty variant that the façade is held against. */
  readonly against: string;
  /** Where the two fitted lines cross, in attributes; null when that is beyond the largest measured count or more than one below the smallest. */
  readonly attributes: number | null;
  /** 95 % interval of the crossing over rounds (Fieller); null with too few rounds, or when it has no end. */
  readonly low: number | null;
  readonly high: number | null;
  /** True when the façade is faster at every attribute count that was measured. */
  readonly always: boolean;
  /** Milliseconds that one more attribute costs, by the façade and by the chatty way. */
  readonly facadeMsPerAttribute: number;
  readonly facadeMsPerAttributeLow: number | null;
  readonly facadeMsPerAttributeHigh: number | null;
  readonly chattyMsPerAttribute: number;
  readonly chattyMsPerAttributeLow: number | null;
  readonly chattyMsPerAttributeHigh: number | null;
}

/** The factor that counts attributes. */
const factor = "attributes";

/** Arms of one way to call, by attribute count. */
type Series = ReadonlyMap<number, ValuesByRound>;

function seriesOf(arms: readonly Arm[], variant: string, meansOf: ReadonlyMap<string, ValuesByRound>): Series {
  return new Map(
    arms
      .filter((arm) => arm.variant === variant)
      .map((arm) => [Number(arm.factors[factor]), meansOf.get(arm.id) ?? []] as const)
      .toSorted(([one], [other]) => one - other),
  );
}

/** The line through one round's means, or null when the round lacks a count. */
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

  // The lines cross where the façade's head start of −(a_f − a_c) is used up by the difference of the slopes.
  const heads = lines.map((line) => line.facade.intercept - line.chatty.intercept);
  const slopes = lines.map((line) => line.chatty.slope - line.facade.slope);
  const crossing = (mean(heads) as number) / (mean(slopes) as number);
  const first = counts[0] as number;
  const last = counts.at(-1) as number;
  // With one attribute both ways make one call, so the lines tend to cross at about 1: on either side of it, by chance.
  const inRange = crossing >= first - 1 && crossing <= last && (mean(slopes) as number) > 0;
  const interval = inRange ? fiellerInterval(heads, slopes) : null;
  const facadeSlopes = lines.map((line) => line.facade.slope);
  const chattySlopes = lines.map((line) => line.chatty.slope);
  const facadeInterval = tInterval(facadeSlopes);
  const chattyInterval = tInterval(chattySlopes);
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
      facadeMsPerAttribute: mean(facadeSlopes) as number,
      facadeMsPerAttributeLow: facadeInterval?.low ?? null,
      facadeMsPerAttributeHigh: facadeInterval?.high ?? null,
      chattyMsPerAttribute: mean(chattySlopes) as number,
      chattyMsPerAttributeLow: chattyInterval?.low ?? null,
      chattyMsPerAttributeHigh: chattyInterval?.high ?? null,
    },
  ];
}

/**
 * Break-even attribute counts of every stack and task that was measured at two counts or more, against each other way to call. Lines
 * are fitted in each round; their crossing carries an interval over rounds.
 */
export function breakEvens(arms: readonly Arm[], meansOf: ReadonlyMap<string, ValuesByRound>): readonly BreakEven[] {
  const counted = arms.filter((arm) => arm.role === "style" && typeof arm.factors[factor] === "number");
  const groups = groupsOf(counted, (arm) => JSON.stringify([arm.study, arm.task, arm.stack, factorKey(arm, factor)]));
  return groups.flatMap((group) => {
    const facade = seriesOf(group, "facade", meansOf);
    const others = new Set(group.map((arm) => arm.variant).filter((variant) => variant !== "facade"));
    return [...others].flatMap((against) => breakEvenOf(group[0], against, facade, seriesOf(group, against, meansOf)));
  });
}
