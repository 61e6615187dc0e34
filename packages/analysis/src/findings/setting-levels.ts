// What setting something on a stack changes: its levels held against the one that stands for the stack.
import type { Cell } from "../comparison/leading-cell.ts";
import type { Comparison } from "../comparison/comparison.ts";
import type { Finding } from "./finding.ts";
import type { Arm } from "../run/run-facts.ts";
import { bytesText, listed, ratioText } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import { byStrength, intervalText, isClaim, saidOnce, strengthOfVerdict, workText } from "./phrases.ts";

/** A level of a setting, beside the level that stands for its stack. */
interface Level {
  readonly arm: Arm;
  readonly comparison: Comparison;
}

/** The other levels that differ from this arm in one setting. */
function levelsBeside(arm: Arm, evidence: Evidence): readonly Level[] {
  return evidence.measured.arms.flatMap((other) => {
    const comparison = evidence.comparison(other.id, arm.id);
    return comparison?.kind === "setting" ? [{ arm: other, comparison }] : [];
  });
}

function claimText(strength: Finding["strength"]): string {
  if (isClaim(strength)) return "takes";
  return strength === "none" ? "takes the same time within 2 %:" : "shows no difference:";
}

function timesOf(base: Arm, levels: readonly Level[], study: string): readonly Finding[] {
  return byStrength(levels, ({ comparison }) => strengthOfVerdict(comparison)).map(([strength, alike]) => {
    const each = alike.map(
      ({ arm, comparison }, index) =>
        `${ratioText(comparison.ratio)} × ${isClaim(strength) && index === 0 ? "as long " : ""}over ${arm.title} (${intervalText(comparison)})`,
    );
    return {
      code: "setting-level",
      study,
      sentence: `Against ${base.title}, ${workText(base)} ${claimText(strength)} ${listed(saidOnce(each))}.`,
      strength,
      armIds: [base.id, ...alike.map(({ arm }) => arm.id)],
    };
  });
}

/** A smaller part of all bytes is what connections carry beside calls: acknowledgements, windows, signs of life. */
const sameBytes = 0.05;

function bytesOf(base: Arm, levels: readonly Level[], study: string, evidence: Evidence): readonly Finding[] {
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

/** For each style of a cell of which a setting was varied: what its other levels take, and what they move. */
export function settingLevels({ arms, study }: Cell, evidence: Evidence): readonly Finding[] {
  return arms.flatMap((base) => {
    const levels = levelsBeside(base, evidence);
    return [...timesOf(base, levels, study), ...bytesOf(base, levels, study, evidence)];
  });
}
