// What to run after this run: the question that it leaves open.
import type { RunFacts } from "@roundtrip/analysis";

/** One line's text. */
export function nextStep({ arms }: Pick<RunFacts, "arms">): string {
  const has = (beginning: string): boolean => arms.some(({ study }) => study.startsWith(beginning));
  const all = "--full for every table and warning";
  if (!has("network")) return `${all}; "bench network" for 1 to 200 ms of distance`;
  if (!has("load")) return `${all}; "bench load-rates" for each style under load`;
  return `${all}; "bench --contract FILE" for your own contract`;
}
