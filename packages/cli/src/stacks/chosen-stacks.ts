// The stacks that a command serves or calls. Loads only those.
import { allStacks, defaultStackNames, loadStack, type Stack } from "@roundtrip/stacks";
import { selectedStackNames, type StackFlags } from "./selected-stacks.ts";

/** The stacks that are given as arguments, or else by the flag. */
export function withArguments(names: readonly string[], flags: StackFlags): StackFlags {
  return names.length === 0 ? flags : { stack: names };
}

/** Loads the selected stacks, or else the usual ones. Rejects with a usage error for an unknown name. */
export async function chosenStacks(flags: StackFlags, usual = defaultStackNames()): Promise<readonly Stack[]> {
  const names = selectedStackNames(flags, allStacks()) ?? usual;
  return Promise.all(names.map((name) => loadStack(name)));
}
