// The actions of `roundtrip history`, and the flags of each.
import type { Command } from "commander";
import { CliError } from "../basics/cli-error.ts";
import { cellSelectors, type CellFilter } from "./cell-filter.ts";
import type { RevisionFlags } from "./measured-revision.ts";

export const historyActions = ["list", "add", "trend", "export"] as const;
export type HistoryAction = (typeof historyActions)[number];

export interface HistoryFlags extends RevisionFlags, CellFilter {
  readonly history?: string;
  readonly at?: string;
  readonly last?: number;
  readonly format?: string;
  readonly out?: string;
  readonly json: boolean;
}

const flagsOf: Readonly<Record<HistoryAction, readonly (keyof HistoryFlags)[]>> = {
  list: ["branch", "last"],
  add: ["revision", "branch", "at"],
  trend: ["branch", "last", "out", ...cellSelectors],
  export: ["branch", "last", "out", "format", ...cellSelectors],
};

/** Throws a usage error for a typed flag that the action does not use. */
export function requireFitting(action: HistoryAction, flags: HistoryFlags, command: Command): void {
  for (const [name, takers] of Object.entries(Object.groupBy(entries(), ([flag]) => flag))) {
    const actions = takers?.map(([, taker]) => taker) ?? [];
    const isTyped = flags[name as keyof HistoryFlags] !== undefined && command.getOptionValueSource(name) === "cli";
    if (isTyped && !actions.includes(action)) {
      throw new CliError("usage", `--${name} is for history ${actions.join(", ")}, not for history ${action}`);
    }
  }
}

function entries(): readonly (readonly [flag: string, action: HistoryAction])[] {
  return historyActions.flatMap((action) => flagsOf[action].map((flag) => [flag, action] as const));
}
