// The stacks that a user named, or all of them.
import { loadStack, stackNames, type Stack } from "@roundtrip/stacks";
import { requireKnown } from "../basics/require-known.ts";

/** Loads the named stacks, each once; all without names. Throws a usage error with the nearest name for an unknown one. */
export async function chosenStacks(names: readonly string[] | undefined): Promise<readonly Stack[]> {
  const known = stackNames();
  for (const name of names ?? []) requireKnown("stack", name, known);
  return Promise.all([...new Set(names ?? known)].map((name) => loadStack(name)));
}

/** Names given as arguments win over those of `--stack`; undefined when there are neither. */
export function namedStacks(
  names: readonly string[],
  flag: readonly string[] | undefined,
): readonly string[] | undefined {
  return names.length > 0 ? names : flag;
}
