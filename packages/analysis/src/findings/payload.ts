// How latency grows with the size of the answer, and whether it jumps where the answer no longer fits into one packet.
import type { Finding, Summary } from "../result.ts";
import type { Arm } from "../run.ts";
import { bytesText, listed } from "../words.ts";
import type { Cell, Evidence } from "./evidence.ts";
import { meanWithInterval, saidOnce } from "./phrases.ts";

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

/** One sentence about two sizes, over all styles. */
function between(
  code: string,
  study: string,
  where: string,
  pairs: readonly (readonly [Point, Point])[],
): readonly Finding[] {
  const [first] = pairs;
  if (first === undefined) return [];
  const ends = saidOnce(pairs.flatMap(([from, to]) => [meanWithInterval(from.latency), meanWithInterval(to.latency)]));
  const growth = pairs.map(
    ([from], index) => `from ${ends[2 * index]} to ${ends[2 * index + 1]} over ${from.arm.title}`,
  );
  const apart = pairs.every(
    ([from, to]) =>
      from.latency.meanHigh !== null && to.latency.meanLow !== null && from.latency.meanHigh < to.latency.meanLow,
  );
  const sizes = `${bytesText(payloadOf(first[0].arm))} to ${bytesText(payloadOf(first[1].arm))}`;
  return [
    {
      code,
      study,
      sentence: `From ${sizes} of values${where}, mean latency went ${listed(growth)}.`,
      strength: apart ? "clear" : "inconclusive",
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
