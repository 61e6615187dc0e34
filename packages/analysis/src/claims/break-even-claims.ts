// From how many attributes, and from which measured distance, one façade call is faster than many calls.
import type { BreakEven } from "../comparison/break-even.ts";
import { configurationOf } from "@roundtrip/runs";
import type { BreakEvenClaim, CrossoverClaim } from "./claim.ts";
import type { Evidence } from "./evidence.ts";

/** The smallest count, at least 1, above the crossing's whole interval. */
function surelyFrom({ attributes, high, always }: BreakEven, counts: readonly number[]): number | null {
  if (attributes === null) return always ? Math.min(...counts) : null;
  if (high === null) return null;
  const from = Math.max(1, Math.floor(high) + 1);
  return from <= Math.max(...counts) ? from : null;
}

/** One claim for each stack, against sequential calls. */
export function ofAttributes(study: string, task: string, { measured }: Evidence): readonly BreakEvenClaim[] {
  const rows = measured.breakEvens.filter(
    (row) => row.study === study && row.task === task && row.against === "chatty",
  );
  const arms = measured.arms.filter((arm) => arm.study === study && arm.task === task);
  const counts = arms.flatMap(({ factors }) =>
    typeof factors["attributes"] === "number" ? factors["attributes"] : [],
  );
  return rows.map((row): BreakEvenClaim => {
    const { attributes, low, high, always } = row;
    const from = surelyFrom(row, counts);
    const facades = arms.filter(
      (arm) =>
        arm.variant === "facade" &&
        configurationOf(arm) === configurationOf(row) &&
        Object.entries(row.factors).every(([name, value]) => arm.factors[name] === value),
    );
    const strength = from === null ? "open" : "clear";
    const armIds = facades.map(({ id }) => id);
    return { kind: "break-even", study, task, strength, armIds, attributes, low, high, always, from };
  });
}

/** For sequential and for parallel calls, one claim for each pair of stacks. */
export function ofCrossovers(study: string, task: string, { measured }: Evidence): readonly CrossoverClaim[] {
  return measured.crossovers
    .filter((row) => row.study === study && row.task === task)
    .map(({ variant, aboveMs, low, high, always, nearestMs, farthestMs, isClear, armIds }) => ({
      kind: "crossover",
      study,
      task,
      strength: isClear ? "clear" : "open",
      armIds,
      variant,
      aboveMs,
      low,
      high,
      always,
      nearestMs,
      farthestMs,
    }));
}
