// The stacks that are attacked and compared: all except floors, which have no messages to compare and no protocol to attack.
import { allStacks, coveringStacks, type KnownStack } from "@roundtrip/stacks";
import { loadStyle } from "@roundtrip/styles";

const stacks: KnownStack[] = [];
for (const stack of allStacks()) {
  // oxlint-disable-next-line no-await-in-loop -- a style is loaded once
  if ((await loadStyle(stack.style)).role === "style") stacks.push(stack);
}

export const styleStacks: readonly KnownStack[] = stacks;

export const usualStyleStacks: readonly string[] = stacks.filter(({ isDefault }) => isDefault).map(({ name }) => name);

/** The fewest of them that include every server and every client. */
export const coveringStyleStacks: readonly string[] = coveringStacks()
  .map(({ name }) => name)
  .filter((name) => stacks.some((stack) => stack.name === name));
