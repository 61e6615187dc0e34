// The stacks that a user named, or the default one of each style.
import { defaultStackNames, loadStack, stackNames, type Stack } from "@roundtrip/stacks";
import { requireKnown } from "../basics/require-known.ts";

/** What stands for every stack there is. */
const everyStack = "all";

/** Loads the named stacks, each once; the default ones without names. Throws a usage error with the nearest name for an unknown one. */
export async function chosenStacks(names: readonly string[] | undefined): Promise<readonly Stack[]> {
  const known = stackNames();
  if (names?.includes(everyStack) === true) return Promise.all(known.map((name) => loadStack(name)));
  for (const name of names ?? []) requireKnown("stack", name, known);
  const chosen = names ?? defaultStackNames();
  return Promise.all([...new Set(chosen)].map((name) => loadStack(name)));
}

/** Names given as arguments win over those of `--stack`; undefined when there are neither. */
export function namedStacks(
  names: readonly string[],
  flag: readonly string[] | undefined,
): readonly string[] | undefined {
  return names.length > 0 ? names : flag;
}
