// Which stacks two versions are compared over: the selected ones, or the default ones that both have.
import type { Warning } from "@roundtrip/analysis";
import type { Stack } from "@roundtrip/stacks";
import { chosenStacks, selectsStacks } from "../stacks/chosen-stacks.ts";
import type { StackFlags } from "../stacks/selected-stacks.ts";
import { CliError } from "../basics/cli-error.ts";
import type { Sources } from "./sources.ts";

export interface ComparedStacks {
  readonly stacks: readonly Stack[];
  readonly warnings: readonly Warning[];
}

/**
 * Stacks that base has no server for yet are left out, with a warning. Rejects with a usage error for an unknown name, for one that head lacks, and
 * if nothing is left.
 */
export async function comparedStacks(flags: StackFlags, { lacks }: Pick<Sources, "lacks">): Promise<ComparedStacks> {
  const isSelected = selectsStacks(flags);
  const all = await chosenStacks(flags);
  // No version changes the floor.
  const wanted = isSelected ? all : all.filter(({ role }) => role === "style");
  const gone = isSelected ? wanted.find(({ name }) => lacks(name) === "head") : undefined;
  if (gone !== undefined) throw new CliError("usage", `head has no stack ${gone.name}`);
  const stacks = wanted.filter(({ name }) => lacks(name) === undefined);
  const missing = wanted.filter(({ name }) => lacks(name) === "base");
  if (stacks.length === 0) throw new CliError("usage", "the two versions have no stack in common");
  const warnings = missing.map(({ name }) => ({
    code: "left-out",
    message: `${name} left out: base does not have it`,
  }));
  return { stacks, warnings };
}
