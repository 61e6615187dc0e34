// The stacks of a comparison: those that are asked for, as far as both versions have them.
import type { Warning } from "@roundtrip/analysis";
import type { Stack } from "@roundtrip/stacks";
import { CliError } from "../basics/cli-error.ts";
import { type StackFlags, chosenStacks, selectsStacks } from "../stacks/chosen-stacks.ts";
import type { Sources } from "./source-flags.ts";

interface ComparedStacks {
  readonly stacks: readonly Stack[];
  readonly warnings: readonly Warning[];
}

/**
 * Leaves out stacks that base lacks, with a warning. Rejects with a usage error for stacks that are unknown or missing in head, and if none remain.
 */
export async function comparedStacks(typed: StackFlags, of: Sources): Promise<ComparedStacks> {
  const { running, usualStacks, versions } = of;
  if (running !== undefined && selectsStacks(typed)) {
    throw new CliError("usage", "the targets say which stacks are compared: leave out --stack, --style and the like");
  }
  const flags = usualStacks === undefined || selectsStacks(typed) ? typed : { stack: usualStacks };
  const isSelected = selectsStacks(flags);
  const all = await chosenStacks(flags);
  // The floor is the same in every version.
  const wanted = isSelected ? all : all.filter(({ role }) => role === "style");
  const gone = isSelected ? wanted.find(({ name }) => of.lacks(name) === "head") : undefined;
  if (gone !== undefined) throw new CliError("usage", `head has no stack ${gone.name}`);
  const stacks = wanted.filter(({ name }) => of.lacks(name) === undefined);
  const missing = wanted.filter(({ name }) => of.lacks(name) === "base");
  if (stacks.length === 0) throw new CliError("usage", "the two versions have no stack in common");
  // Reports a stack without a command before anything starts.
  for (const { name } of stacks) for (const version of versions) version.server(name);
  const warnings = missing.map(({ name }) => ({
    code: "left-out",
    message: `${name} left out: base does not have it`,
  }));
  return { stacks, warnings };
}
