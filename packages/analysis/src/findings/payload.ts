// How latency grows with the size of the answer, and whether it jumps where the answer no longer fits into one packet.
import { configurationOf } from "../run/arm-factors.ts";
import type { Cell } from "../comparison/leading-cell.ts";
import type { Comparison } from "../comparison/comparison.ts";
import type { Finding } from "./finding.ts";
import type { Arm } from "../run/run-facts.ts";
import { bytesText, listed, ratioText } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import { byStrength, intervalText, isClaim, saidOnce, strengthOfVerdict } from "./phrases.ts";

function payloadOf(arm: Arm): number {
  return Number(arm.factors["payloadBytes"]);
}

/** Two sizes of one style, held against each other in every round. */
interface Step {
  readonly from: Arm;
  readonly to: Arm;
  readonly comparison: Comparison;
}

function seriesOf(arm: Arm): string {
  return [arm.study, arm.task, configurationOf(arm), arm.variant].join();
}

/** The sizes that were held against each other, of the styles of this cell and their way to call. */
function stepsOf({ arms }: Cell, { measured }: Evidence): readonly Step[] {
  const byId = new Map(measured.arms.map((arm) => [arm.id, arm]));
  return arms.flatMap((arm) =>
    measured.comparisons.flatMap((comparison) => {
      const [from, to] = [byId.get(comparison.denominatorId), byId.get(comparison.numeratorId)];
      if (comparison.kind !== "size" || from === undefined || to === undefined) return [];
      return seriesOf(to) === seriesOf(arm) ? [{ from, to, comparison }] : [];
    }),
  );
}

function claimText(strength: Finding["strength"]): string {
  if (isClaim(strength)) return "one read takes";
  return strength === "none" ? "one read takes the same time within 2 %:" : "no change of the time was found:";
}

/** One sentence about two sizes for the styles that say the same. */
function between(code: string, study: string, where: string, steps: readonly Step[]): readonly Finding[] {
  return byStrength(steps, ({ comparison }) => strengthOfVerdict(comparison)).map(([strength, alike]) => {
    const { from, to } = alike[0] as Step;
    const asLong = isClaim(strength) ? "as long " : "";
    const each = alike.map(
      ({ comparison, to: { title } }, index) =>
        `${ratioText(comparison.ratio)} × ${index === 0 ? asLong : ""}over ${title} (${intervalText(comparison)})`,
    );
    const sizes = `${bytesText(payloadOf(from))} to ${bytesText(payloadOf(to))}`;
    return {
      code,
      study,
      sentence: `From ${sizes} of values${where}, ${claimText(strength)} ${listed(saidOnce(each))}.`,
      strength,
      armIds: alike.flatMap(({ comparison }) => [comparison.denominatorId, comparison.numeratorId]),
    };
  });
}

/** From the smallest size to the largest, and over the border of one packet where sizes on both sides of it were measured. */
export function payloadGrowth(cell: Cell, evidence: Evidence): readonly Finding[] {
  const { mtuBytes, arms } = evidence.measured;
  const steps = stepsOf(cell, evidence);
  const { study, task } = cell;
  const sizes = arms.filter((arm) => arm.study === study && arm.task === task).map(payloadOf);
  const smallest = Math.min(...sizes);
  const largest = Math.max(...sizes);
  const ends = steps.filter(({ from, to }) => payloadOf(from) === smallest && payloadOf(to) === largest);
  const below = Math.max(...sizes.filter((size) => size < mtuBytes));
  const border = steps.filter(({ from, to }) => payloadOf(from) === below && payloadOf(to) > mtuBytes);
  return [
    ...between("payload-growth", study, "", ends),
    ...between("packet-border", study, `, over the border of one packet of this link (${bytesText(mtuBytes)})`, border),
  ];
}
