// What follows from a study that changes a setting of stacks over several bandwidths, such as compression: over which of them it pays, and how.
import { type Comparison, largestOf } from "@roundtrip/analysis";
import { type Arm, isAtDefaults, keyOf, settingsOf, workFactors } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";
import { timesText, workText } from "./ratio-text.ts";

/** One level of a setting against its default. */
interface Changed {
  readonly base: Arm;
  readonly setting: string;
  readonly level: string;
  readonly row: Comparison;
}

/** The work without its bandwidth; on loopback there is no round-trip time. */
function workKey(arm: Arm): string {
  const { bandwidthMbps: _, rttMs = 0, ...work } = workFactors(arm);
  return keyOf({ ...work, rttMs });
}

/** All levels but defaults, in the order of the comparisons. */
function changesIn({ analysis }: Pick<ReportInput, "analysis">): readonly Changed[] {
  const arms = new Map(analysis.arms.map((arm) => [arm.id, arm]));
  return analysis.comparisons.flatMap((row) => {
    const [arm, base] = [arms.get(row.numeratorId), arms.get(row.denominatorId)];
    if (row.kind !== "setting" || arm === undefined || base === undefined || !isAtDefaults(base)) return [];
    const [setting, level] =
      Object.entries(settingsOf(arm)).find(([name, value]) => settingsOf(base)[name] !== value) ?? [];
    return setting === undefined ? [] : [{ base, setting, level: String(level), row }];
  });
}

/** `over 10 Mbit/s zstd takes 0.31 × (0.29 to 0.33)`: the level with the least time, if it is surely faster than the default. */
function bestText(changes: readonly Changed[]): string {
  const bandwidth = changes[0]?.base.factors["bandwidthMbps"];
  const where = bandwidth === undefined ? "without a limit" : `over ${String(bandwidth)} Mbit/s`;
  const sure = changes.filter(({ row }) => row.verdict === "different");
  const [best] = sure.filter(({ row }) => row.ratio < 1).toSorted((a, b) => a.row.ratio - b.row.ratio);
  if (best !== undefined) return `${where} ${best.level} takes ${timesText(best.row)}`;
  return `${where} ${sure.length === changes.length ? "each is slower" : "cannot tell of any that it is faster"}`;
}

function bandwidthOf({ base }: Changed): number {
  return Number(base.factors["bandwidthMbps"] ?? Number.POSITIVE_INFINITY);
}

/** A line for each stack, of its most work; empty for settings that were measured over less than two bandwidths. */
export function settingsAdvice(run: Pick<ReportInput, "analysis">): readonly string[] {
  const changes = changesIn(run);
  const ofStacks = Map.groupBy(changes, ({ base: { study, task, stack }, setting }) =>
    JSON.stringify([study, task, stack, setting]),
  );
  return [...ofStacks.values()].flatMap((ofStack) => {
    const [most] = largestOf(ofStack.map(({ base }) => base));
    const ofMost = ofStack.filter(({ base }) => most !== undefined && workKey(base) === workKey(most));
    const places = [...Map.groupBy(ofMost, bandwidthOf)].toSorted(([a], [b]) => a - b).map(([, group]) => group);
    const [first] = ofMost;
    if (first === undefined || places.length < 2) return [];
    const { base, setting } = first;
    const what = `Another ${setting} than ${base.settingDefaults?.[setting]} for ${workText(base, "rttMs", "bandwidthMbps")}`;
    return [`${what} over ${base.stackTitle}: ${places.map(bestText).join(", ")}.`];
  });
}
