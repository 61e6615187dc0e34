// Warns of stacks measured only with changed settings, so that no other stack is comparable.
import { groupsOf } from "../basics/groups-of.ts";
import { configurationOf, isAtDefaults, settingsOf, type Arm, type Warning } from "@roundtrip/runs";
import type { Comparison } from "./comparison.ts";
import { listed } from "../basics/words.ts";

export function notComparable(arms: readonly Arm[], comparisons: readonly Comparison[]): readonly Warning[] {
  const styles = arms.filter(({ role }) => role === "style");
  const stacks = groupsOf(styles, ({ stack }) => stack);
  if (stacks.length < 2) return [];
  const compared = new Set(
    comparisons.flatMap(({ kind, numeratorId, denominatorId }) =>
      kind === "stack" ? [numeratorId, denominatorId] : [],
    ),
  );
  return stacks.flatMap((ofStack): Warning | readonly Warning[] => {
    const [{ stack, settingDefaults = {} }] = ofStack;
    if (ofStack.some((arm) => isAtDefaults(arm) || compared.has(arm.id))) return [];
    const defaults = Object.entries(settingDefaults).filter(
      ([name, value]) => !ofStack.some((arm) => settingsOf(arm)[name] === value),
    );
    const flags = defaults.map(([name, value]) => `${stack}.${name}=${value}`);
    const titles = [...new Map(ofStack.map((arm) => [configurationOf(arm), arm.title])).values()];
    return {
      code: "compared-apart",
      message: `${listed(titles)} ${titles.length === 1 ? "is" : "are"} not compared with other stacks, as stacks are compared at their defaults: --set ${flags.join(",")} measures those too`,
    };
  });
}
