// What goes with `bench --import`: it measures nothing, and has studies, stacks and calls from the plan.
import type { Command } from "commander";
import { CliError } from "../basics/cli-error.ts";

const taken = ["engine", "import", "plan", "out", "history", "full", "json", "quiet"];

/** Throws a usage error for a flag that was typed and does nothing here. */
export function requireImportFlags(command: Command): void {
  const idle = command.options.find((option) => {
    const name = option.attributeName();
    return !taken.includes(name) && command.getOptionValueSource(name) === "cli";
  });
  if (idle === undefined) return;
  throw new CliError("usage", `--import measures nothing, and does what its plan says: leave ${idle.long} out`);
}
