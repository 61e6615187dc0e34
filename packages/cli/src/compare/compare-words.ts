// Messages of `compare` during the measurement: the plan, each look, and a recheck.
import type { CellJudgement, GateJudgement } from "@roundtrip/analysis/gate";
import { metricLabel } from "@roundtrip/report";
import type { MeasureOptions } from "@roundtrip/runner";
import type { Sources } from "./source-flags.ts";

function percent(ratio: number): string {
  const change = 100 * (ratio - 1);
  return `${change < 0 ? "−" : "+"}${Math.abs(change).toFixed(1)} %`;
}

function named({ cell: { stack, task, variant, metric } }: CellJudgement): string {
  return `${task}${variant === "single" ? "" : ` ${variant}`} over ${stack}, ${metricLabel(metric)}`;
}

export function planText(
  { base, head }: Pick<Sources, "base" | "head">,
  { studies, stacks, directory, budgetMs }: Pick<MeasureOptions, "studies" | "stacks" | "directory" | "budgetMs">,
): string {
  const what = studies.map(({ name }) => name).join(" and ");
  const where = stacks.map(({ title }) => title).join(", ");
  const seconds = Math.round(budgetMs / 1_000);
  const time = `within ${seconds} s, and up to ${2 * seconds} s more where a loss is found and measured again`;
  return `Comparing ${head.label} with ${base.label}: ${what} over ${where}, ${time}, into ${directory}\n`;
}

export function lookText({ rounds, plannedRounds, state, cells }: GateJudgement): string {
  const open = cells.filter((cell) => cell.state === "undecided").length;
  const measured = cells.filter(({ ratio }) => Number.isFinite(ratio));
  const [suspect] = measured.toSorted((one, other) => one.adjustedP - other.adjustedP || other.ratio - one.ratio);
  const most = suspect === undefined ? "" : `${named(suspect)} ${percent(suspect.ratio)}`;
  const openText = `${open} of ${cells.length} metrics open${most === "" ? "" : `, most suspicious ${most}`}`;
  const known = state === "fail" ? `slower: ${most}` : state === "pass" ? "nothing is slower" : openText;
  return `After ${rounds} of up to ${plannedRounds} rounds: ${known}\n`;
}

export function recheckText({ cells }: GateJudgement, rounds: number): string {
  const worse = cells.filter(({ state }) => state === "worse").map(named);
  return `Measuring that again in fresh processes, up to ${rounds} rounds: ${worse.join("; ")}\n`;
}
