// What a setting of a stack changes: its levels compared with the stack's default.
import type { Cell } from "../comparison/leading-cell.ts";
import type { Finding } from "./finding.ts";
import type { Arm } from "../run/run-facts.ts";
import { bytesText, listed } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import { byVerdict, isClaim, timesOver, workText, type ArmRatio } from "./phrases.ts";

function levelsBeside(arm: Arm, evidence: Evidence): readonly ArmRatio[] {
  return evidence.measured.arms.flatMap((other) => {
    const comparison = evidence.comparison(other.id, arm.id);
    return comparison?.kind === "setting" ? [{ arm: other, comparison }] : [];
  });
}

function claimText(strength: Finding["strength"]): string {
  if (isClaim(strength)) return "takes";
  return strength === "none" ? "takes the same time within 2 %:" : "shows no clear difference:";
}

function timesOf(base: Arm, levels: readonly ArmRatio[], study: string): readonly Finding[] {
  return byVerdict(levels).map(([strength, alike]) => {
    const times = timesOver(alike, isClaim(strength) ? "as long " : "");
    return {
      code: "setting-level",
      study,
      sentence: `Against ${base.title}, ${workText(base)} ${claimText(strength)} ${times}.`,
      strength,
      armIds: [base.id, ...alike.map(({ arm }) => arm.id)],
    };
  });
}

/** Smaller differences are traffic between calls: acknowledgements, window updates, keep-alives. */
const sameBytes = 0.05;

function bytesOf(base: Arm, levels: readonly ArmRatio[], study: string, evidence: Evidence): readonly Finding[] {
  const meanOf = ({ id }: Arm): number => evidence.summary(id, "wireBytesPerTask")?.mean ?? Number.NaN;
  const moved = levels.filter(({ arm }) => Math.abs(meanOf(arm) / meanOf(base) - 1) > sameBytes);
  if (moved.length === 0) return [];
  const each = moved.map(({ arm }) => `${bytesText(meanOf(arm))} over ${arm.title}`);
  return [
    {
      code: "setting-bytes",
      study,
      sentence: `On the wire, ${workText(base)} moves ${listed(each)}, against ${bytesText(meanOf(base))} over ${base.title}.`,
      strength: "fact",
      armIds: [base.id, ...moved.map(({ arm }) => arm.id)],
    },
  ];
}

export function settingLevels({ arms, study }: Cell, evidence: Evidence): readonly Finding[] {
  return arms.flatMap((base) => {
    const levels = levelsBeside(base, evidence);
    return [...timesOf(base, levels, study), ...bytesOf(base, levels, study, evidence)];
  });
}
