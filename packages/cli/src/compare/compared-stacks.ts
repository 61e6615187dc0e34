// Which stacks two versions are compared over: those that were named, or the default stacks of all styles that both have.
import type { Warning } from "@roundtrip/analysis";
import { defaultStackNames, loadStack, type Stack } from "@roundtrip/stacks";
import { chosenStacks } from "../stacks/chosen-stacks.ts";
import { CliError } from "../basics/cli-error.ts";
import type { Sources } from "./sources.ts";

export interface ComparedStacks {
  readonly stacks: readonly Stack[];
  readonly warnings: readonly Warning[];
}

/** The default stacks, without the floor: no version changes that. */
async function styles(): Promise<readonly Stack[]> {
  const all = await Promise.all(defaultStackNames().map((name) => loadStack(name)));
  return all.filter(({ role }) => role === "style");
}

/**
 * Stacks that base has no server for yet are left out, and that is told. Rejects with a usage error for a name that is unknown, for one that head
 * lacks, and when nothing is left.
 */
export async function comparedStacks(
  names: readonly string[] | undefined,
  { lacks }: Pick<Sources, "lacks">,
): Promise<ComparedStacks> {
  const wanted = names === undefined ? await styles() : await chosenStacks(names);
  const gone = names === undefined ? undefined : wanted.find(({ name }) => lacks(name) === "head");
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
