// Messages of `compare` during the measurement: the plan, each look, and a recheck.
import type { CellJudgement, GateJudgement } from "@roundtrip/analysis/gate";
import { metricLabel } from "@roundtrip/report";
import type { MeasureOptions, Version } from "@roundtrip/runner";
import type { Stack } from "@roundtrip/stacks";
import type { Sources } from "./versions.ts";

function percent(ratio: number): string {
  const change = 100 * (ratio - 1);
  return `${change < 0 ? "−" : "+"}${Math.abs(change).toFixed(1)} %`;
}

/** Returns what stacks are called: `REST`, or `REST (command)` for a user's server. */
export function stackTitles(stacks: readonly Stack[], versions: readonly Version[]): (stack: string) => string {
  const titles = stacks.map(({ name, title }) => {
    const kinds = versions.map((version) => version.server(name).kind);
    const foreign = kinds.find((kind) => kind === "command" || kind === "target");
    return [name, foreign === undefined ? title : `${title} (${foreign})`] as const;
  });
  const known = new Map(titles);
  return (stack) => known.get(stack) ?? stack;
}

type TitleOf = ReturnType<typeof stackTitles>;

function named({ cell: { stack, task, variant, metric } }: CellJudgement, titleOf: TitleOf): string {
  return `${titleOf(stack)} ${task}${variant === "single" ? "" : ` ${variant}`}, ${metricLabel(metric)}`;
}

interface ComparisonPlan extends Pick<MeasureOptions, "studies" | "directory" | "budgetMs"> {
  /** As typed; undefined for as many as the time holds. */
  readonly rounds: number | undefined;
}

/** @param titles what the stacks are called. */
export function planText(
  { base, head }: Pick<Sources, "base" | "head">,
  titles: readonly string[],
  { studies, directory, budgetMs, rounds }: ComparisonPlan,
): string {
  const what = studies.map(({ name }) => name).join(" and ");
  const where = titles.join(", ");
  const seconds = Math.round(budgetMs / 1_000);
  const time =
    rounds === undefined
      ? `within ${seconds} s, and up to ${2 * seconds} s more where a loss is found and measured again`
      : `up to ${rounds} rounds, and up to 24 more where a loss is found and measured again`;
  return `Comparing ${head.label} with ${base.label}: ${what} over ${where}, ${time}, into ${directory}\n`;
}

export function lookText({ rounds, plannedRounds, state, cells }: GateJudgement, titleOf: TitleOf): string {
  const open = cells.filter((cell) => cell.state === "undecided").length;
  const measured = cells.filter(({ ratio }) => Number.isFinite(ratio));
  const [suspect] = measured.toSorted(
    (one, other) => Number(other.state === "worse") - Number(one.state === "worse") || other.ratio - one.ratio,
  );
  const most = suspect === undefined ? "" : `${named(suspect, titleOf)} ${percent(suspect.ratio)}`;
  const openText = `${open} of ${cells.length} metrics open${most === "" ? "" : `, most suspicious ${most}`}`;
  const known = state === "fail" ? `slower: ${most}` : state === "pass" ? "nothing is slower" : openText;
  return `After ${rounds} of up to ${plannedRounds} rounds: ${known}\n`;
}

export function recheckText({ cells }: GateJudgement, rounds: number, titleOf: TitleOf): string {
  const worse = cells.filter(({ state }) => state === "worse").map((cell) => named(cell, titleOf));
  return `Measuring that again in fresh processes, up to ${rounds} rounds: ${worse.join("; ")}\n`;
}
