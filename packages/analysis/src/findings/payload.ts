// How latency grows with the size of the answer, and whether it jumps where the answer no longer fits into one packet.
import type { Finding, Summary } from "../result.ts";
import type { Arm } from "../run.ts";
import { bytesText, durationRange, durationText, listed } from "../words.ts";
import type { Cell, Evidence } from "./evidence.ts";

function payloadOf(arm: Arm): number {
  return Number(arm.factors["payloadBytes"]);
}

interface Point {
  readonly arm: Arm;
  readonly latency: Summary;
}

/** Sizes of one arm's stack and way to call, ascending. */
function sizesOf(arm: Arm, evidence: Evidence): readonly Point[] {
  return evidence.measured.arms
    .filter(
      (other) =>
        other.study === arm.study &&
        other.task === arm.task &&
        other.stack === arm.stack &&
        other.variant === arm.variant &&
        Number.isFinite(payloadOf(other)),
    )
    .toSorted((one, other) => payloadOf(one) - payloadOf(other))
    .flatMap((other) => {
      const latency = evidence.summary(other.id, "latencyMs");
      return latency === undefined ? [] : [{ arm: other, latency }];
    });
}

/** `REST (269 to 753 µs)`. */
function growthText([from, to]: readonly [Point, Point]): string {
  const { mean: fromMs } = from.latency;
  const { mean: toMs } = to.latency;
  const range = fromMs <= toMs ? durationRange(fromMs, toMs) : `${durationText(fromMs)} to ${durationText(toMs)}`;
  return `${from.arm.title} (${range})`;
}

/** True when the intervals of both means lie apart, the larger size's above. */
function grows([from, to]: readonly [Point, Point]): boolean {
  const [below, above] = [from.latency.meanHigh, to.latency.meanLow];
  return below !== null && above !== null && below < above;
}

/** One sentence about two sizes, over all styles: where the mean grows, and where the intervals overlap. */
function between(
  code: string,
  study: string,
  where: string,
  pairs: readonly (readonly [Point, Point])[],
): readonly Finding[] {
  const [first] = pairs;
  if (first === undefined) return [];
  const growing = pairs.filter(grows).map(growthText);
  const others = pairs.filter((pair) => !grows(pair));
  const without = others.some(([{ latency }]) => latency.meanLow === null);
  const why = without ? "there are no intervals" : "the 95 % intervals overlap";
  const parts = [
    ...(growing.length === 0 ? [] : [`mean latency grows over ${listed(growing)}`]),
    ...(others.length === 0 ? [] : [`no growth can be told over ${listed(others.map(growthText))}: ${why}`]),
  ];
  const sizes = `${bytesText(payloadOf(first[0].arm))} to ${bytesText(payloadOf(first[1].arm))}`;
  return [
    {
      code,
      study,
      sentence: `From ${sizes} of values${where}, ${parts.join("; ")}.`,
      strength: others.length === 0 ? "clear" : "inconclusive",
      armIds: pairs.flatMap(([from, to]) => [from.arm.id, to.arm.id]),
    },
  ];
}

/** From the smallest size to the largest, and over the border of one packet where sizes on both sides of it were measured. */
export function payloadGrowth({ arms, study }: Cell, evidence: Evidence): readonly Finding[] {
  const { mtuBytes } = evidence.measured;
  const series = arms.map((arm) => sizesOf(arm, evidence)).filter((points) => points.length > 1);
  const ends = series.map((points) => [points[0] as Point, points.at(-1) as Point] as const);
  const border = series.flatMap((points) => {
    const below = points.findLast(({ arm }) => payloadOf(arm) < mtuBytes);
    const above = points.find(({ arm }) => payloadOf(arm) > mtuBytes);
    return below === undefined || above === undefined ? [] : [[below, above] as const];
  });
  return [
    ...between("payload-growth", study, "", ends),
    ...between("packet-border", study, `, over the border of one packet of this link (${bytesText(mtuBytes)})`, border),
  ];
}
