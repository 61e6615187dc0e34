// What to run after this run: what it had no time for, or the question that it leaves open.
import type { RunFacts } from "@roundtrip/analysis";

/** One line's text. */
export function nextStep({ arms, command, leftOut }: Pick<RunFacts, "arms" | "command" | "leftOut">): string {
  const has = (beginning: string): boolean => arms.some(({ study }) => study.startsWith(beginning));
  const all = "--full for every table and warning";
  if (leftOut !== undefined && leftOut.cells.length > 0) {
    return `${all}; --budget ${Math.round(leftOut.budgetMs / 1000)}s to measure what was left out`;
  }
  // The studies by name are of the built-in contract.
  if (/ --(?:contract|tasks)\b/.test(command)) {
    return command.includes(" --rtt") ? all : `${all}; the same with --rtt 20 for 20 ms of distance`;
  }
  if (!has("network")) return `${all}; "bench network" for 1 to 200 ms of distance`;
  if (!has("load")) return `${all}; "bench load-rates" for each style under load`;
  return `${all}; "bench --contract FILE" for your own contract`;
}
