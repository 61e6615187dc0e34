// What a run did not look at, and what to measure next.
import { foreignStudy, listed } from "@roundtrip/analysis";
import type { RunFacts } from "@roundtrip/runs";
import { isForeign, type ReportInput } from "../view/report-input.ts";

/** How names of studies of the built-in contract begin. Settings may name another contract, which the command line does not show. */
const builtIn = ["hello", "facade", "libraries", "network", "load"];

function hasStudy({ arms }: Pick<RunFacts, "arms">, beginning: string): boolean {
  return arms.some(({ study }) => study.startsWith(beginning));
}

function isOfOwnContract(facts: Pick<RunFacts, "arms" | "command">): boolean {
  return / --(?:contract|tasks|operations)\b/.test(facts.command) || !builtIn.some((name) => hasStudy(facts, name));
}

/** What to measure next; undefined if no suggestion is sure to be accepted. */
export function nextStep(facts: Pick<RunFacts, "arms" | "command" | "leftOut">): string | undefined {
  const { arms, command, leftOut } = facts;
  if (arms.some(({ study }) => study === foreignStudy)) return undefined;
  if (leftOut !== undefined && leftOut.cells.length > 0) {
    return `--budget ${Math.round(leftOut.budgetMs / 1000)}s for what was left out`;
  }
  if (isOfOwnContract(facts)) {
    // No network can be put between clients and a server that this program does not serve; settings may name such a server.
    const isServedHere = / --contract\b/.test(command) && arms.every(({ target }) => target === undefined);
    return isServedHere && !/ --(?:serve|link)\b/.test(command) ? "--link rtt=20 for a round trip of 20 ms" : undefined;
  }
  if (!hasStudy(facts, "libraries") && hasStudy(facts, "hello")) return '"bench libraries" for other servers';
  if (!hasStudy(facts, "network")) return '"bench network" for 1 to 200 ms';
  if (!hasStudy(facts, "load")) return '"bench load-rates" for load';
  return '"bench --contract FILE" for yours';
}

/** `other libraries`, `load`: what may change the advice. Empty for samples of another tool. */
export function notLookedAt({ facts, analysis }: Pick<ReportInput, "facts" | "analysis">): readonly string[] {
  if (isForeign({ facts })) return [];
  const { arms } = facts;
  const ends = arms.filter(({ role, style, server }) => role === "style" && server !== style);
  const named = [...new Set(ends.flatMap(({ server, client }) => [server, client]))];
  const libraries = named.length > 0 && named.length <= 6 ? `libraries other than ${listed(named)}` : "other libraries";
  return [
    ...(arms.some(({ load }) => load !== undefined) || arms.some(({ factors }) => Number(factors["callers"] ?? 1) > 1)
      ? []
      : ["load"]),
    ...(analysis.libraryEffects.length > 0 ? [] : [libraries]),
  ];
}
