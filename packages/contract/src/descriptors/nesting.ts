// The nesting limit of messages: deeper messages cannot be sent, so no part of the project has to process them.
import type { DescMessage } from "@bufbuild/protobuf";
import { componentsOf } from "./components.ts";
import type { Contract } from "./contract.ts";

/** The default recursion limit of protobuf libraries (C++, Java and protobuf-es). */
export const maxNesting = 100;

const inner = ({ fields }: DescMessage): readonly DescMessage[] =>
  fields.flatMap(({ message }) => (message === undefined ? [] : [message]));

/**
 * An error message for the first operation whose messages nest deeper than {@link maxNesting}; undefined if there is none. Types that contain
 * each other count as one level, because their depth depends on the sender.
 */
export function nestingFault({ operations }: Contract): string | undefined {
  const levels = new Map<DescMessage, number>();
  const roots = operations.flatMap(({ input, output }) => [input, output]);
  for (const component of componentsOf(roots, inner)) {
    // The levels of the component's own types are unknown yet and add nothing.
    const below = component.flatMap(inner).reduce((most, message) => Math.max(most, levels.get(message) ?? 0), 0);
    for (const message of component) levels.set(message, below + 1);
  }
  for (const { id, input, output } of operations) {
    const message = [input, output].find((one) => (levels.get(one) ?? 0) > maxNesting);
    if (message === undefined) continue;
    return `messages in ${message.typeName} of ${id} nest ${levels.get(message)} levels deep, but protobuf libraries read at most ${maxNesting}: reduce the nesting`;
  }
  return undefined;
}
