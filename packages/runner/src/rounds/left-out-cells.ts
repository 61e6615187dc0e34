// Arms that were left out, as a reader thinks of them: one way to do one task, on all stacks.
import type { LeftOutCell } from "@roundtrip/analysis";
import type { Arm } from "../arm.ts";

type CellArm = Pick<Arm, "study" | "task" | "variant" | "factors" | "settingDefaults" | "priority">;

function cellOf({ study, task, variant, factors, settingDefaults = {}, priority }: CellArm): LeftOutCell {
  const work = Object.entries(factors).filter(([name]) => settingDefaults[name] === undefined);
  return { study, task, variant, factors: Object.fromEntries(work), priority };
}

/** The cells of these arms, each once. */
export function leftOutCells(arms: readonly CellArm[]): readonly LeftOutCell[] {
  return [...new Map(arms.map(cellOf).map((cell) => [JSON.stringify(cell), cell])).values()];
}
