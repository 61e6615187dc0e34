// The stacks that a user selected, or the default ones. Loads those and no others.
import { allStacks, defaultStackNames, loadStack, type Stack } from "@roundtrip/stacks";
import { selectedStackNames, type StackFlags } from "./selected-stacks.ts";

/** Stacks given as arguments take precedence over `--stack`. */
export function withArguments(names: readonly string[], flags: StackFlags): StackFlags {
  const { stack, style, server, client } = flags;
  return {
    ...(names.length > 0 ? { stack: names } : stack === undefined ? {} : { stack }),
    ...(style === undefined ? {} : { style }),
    ...(server === undefined ? {} : { server }),
    ...(client === undefined ? {} : { client }),
  };
}

/** Whether a flag selects stacks. */
export function selectsStacks({ stack, style, server, client }: StackFlags): boolean {
  return [stack, style, server, client].some((names) => names !== undefined);
}

/** Loads the selected stacks; the default ones if no flag selects any. Throws a usage error for what `selectedStackNames` refuses. */
export async function chosenStacks(flags: StackFlags): Promise<readonly Stack[]> {
  const names = selectedStackNames(flags, allStacks()) ?? defaultStackNames();
  return Promise.all(names.map((name) => loadStack(name)));
}
