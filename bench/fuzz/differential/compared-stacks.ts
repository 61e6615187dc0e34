// The stacks that are asked the same: all but floors, which spell no message, so that nothing can come out differently.
import { allStacks, type KnownStack } from "@roundtrip/stacks";
import { loadStyle } from "@roundtrip/styles";

const compared: KnownStack[] = [];
for (const stack of allStacks()) {
  // oxlint-disable-next-line no-await-in-loop -- a style is loaded once
  if ((await loadStyle(stack.style)).role === "style") compared.push(stack);
}

export const comparedStacks: readonly KnownStack[] = compared;

/** The names of each style's default stack. */
export const usuallyCompared: readonly string[] = compared.filter(({ isDefault }) => isDefault).map(({ name }) => name);
