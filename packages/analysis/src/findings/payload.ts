// How latency grows with the size of the answer, and whether it jumps at the size of one packet.
import { configurationOf } from "../run/arm-factors.ts";
import type { Cell } from "../comparison/leading-cell.ts";
import type { Finding } from "./finding.ts";
import type { Arm } from "../run/run-facts.ts";
import { bytesText } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import { byVerdict, isClaim, timesOver, type ArmRatio } from "./phrases.ts";

function payloadOf(arm: Arm): number {
  return Number(arm.factors["payloadBytes"]);
}

/** Two sizes of one style, compared in every round: `arm` is the larger. */
interface Step extends ArmRatio {
  readonly from: Arm;
}

function seriesOf(arm: Arm): string {
  return [arm.study, arm.task, configurationOf(arm), arm.variant].join();
}

function stepsOf({ arms }: Cell, { measured }: Evidence): readonly Step[] {
  const byId = new Map(measured.arms.map((arm) => [arm.id, arm]));
  return arms.flatMap((arm) =>
    measured.comparisons.flatMap((comparison) => {
      const [from, to] = [byId.get(comparison.denominatorId), byId.get(comparison.numeratorId)];
      if (comparison.kind !== "size" || from === undefined || to === undefined) return [];
      return seriesOf(to) === seriesOf(arm) ? [{ from, arm: to, comparison }] : [];
    }),
  );
}

function claimText(strength: Finding["strength"]): string {
  if (isClaim(strength)) return "one read takes";
  return strength === "none" ? "one read takes the same time within 2 %:" : "no change of the time was found:";
}

function between(code: string, study: string, where: string, steps: readonly Step[]): readonly Finding[] {
  return byVerdict(steps).map(([strength, alike]) => {
    const { from, arm: to } = alike[0] as Step;
    const times = timesOver(alike, isClaim(strength) ? "as long " : "");
    const sizes = `${bytesText(payloadOf(from))} to ${bytesText(payloadOf(to))}`;
    return {
      code,
      study,
      sentence: `From ${sizes} of values${where}, ${claimText(strength)} ${times}.`,
      strength,
      armIds: alike.flatMap(({ comparison }) => [comparison.denominatorId, comparison.numeratorId]),
    };
  });
}

/** From the smallest size to the largest, and across the size of one packet if there are sizes on both sides. */
export function payloadGrowth(cell: Cell, evidence: Evidence): readonly Finding[] {
  const { mtuBytes, arms } = evidence.measured;
  const steps = stepsOf(cell, evidence);
  const { study, task } = cell;
  const sizes = arms.filter((arm) => arm.study === study && arm.task === task).map(payloadOf);
  const smallest = Math.min(...sizes);
  const largest = Math.max(...sizes);
  const ends = steps.filter(({ from, arm }) => payloadOf(from) === smallest && payloadOf(arm) === largest);
  const below = Math.max(...sizes.filter((size) => size < mtuBytes));
  const border = steps.filter(({ from, arm }) => payloadOf(from) === below && payloadOf(arm) > mtuBytes);
  return [
    ...between("payload-growth", study, "", ends),
    ...between("packet-border", study, `, over the border of one packet of this link (${bytesText(mtuBytes)})`, border),
  ];
}
