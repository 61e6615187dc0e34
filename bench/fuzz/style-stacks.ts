// The stacks that are attacked and compared: all except floors, which have no messages to compare and no protocol to attack.
import { allStacks, coveringStacks, type KnownStack } from "@roundtrip/stacks";
import { loadStyle } from "@roundtrip/styles";
import { Option } from "commander";

const stacks: KnownStack[] = [];
for (const stack of allStacks()) {
  // oxlint-disable-next-line no-await-in-loop -- a style is loaded once
  if ((await loadStyle(stack.style)).role === "style") stacks.push(stack);
}

export const styleStacks: readonly KnownStack[] = stacks;

export const usualStyleStacks: readonly string[] = stacks.filter(({ isDefault }) => isDefault).map(({ name }) => name);

/** The fewest of them that include every server and every client. */
const coveringStyleStacks: readonly string[] = coveringStacks()
  .map(({ name }) => name)
  .filter((name) => stacks.some((stack) => stack.name === name));

/** `--every` */
export function everyOption(): Option {
  return new Option("--every", "the fewest stacks that include every server and every client, unless some are named");
}

/** The stacks that a command line asks for: those named, or with `--every` some with every library, or the default of each style. */
export function stacksAsked(named: readonly string[], { every }: { readonly every?: true }): readonly string[] {
  if (named.length > 0) return named;
  return every === true ? coveringStyleStacks : usualStyleStacks;
}
