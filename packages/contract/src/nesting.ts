// How deep messages stand inside each other: a limit that keeps every part of the project from working through a chain that nobody can send.
import type { DescMessage } from "@bufbuild/protobuf";
import { componentsOf } from "./components.ts";
import type { Contract } from "./contract.ts";

/** What protobuf's libraries read by default (C++, Java and protobuf-es: a recursion limit of 100). */
export const maxNesting = 100;

const inner = ({ fields }: DescMessage): readonly DescMessage[] =>
  fields.flatMap(({ message }) => (message === undefined ? [] : [message]));

/**
 * Which operation's messages nest deeper than {@link maxNesting}, and how; undefined when none do. Types that hold each other count as one level: how deep they
 * nest is up to who sends them.
 */
export function nestingFault({ operations }: Contract): string | undefined {
  const levels = new Map<DescMessage, number>();
  const roots = operations.flatMap(({ input, output }) => [input, output]);
  for (const component of componentsOf(roots, inner)) {
    // Those of the component itself are not known yet, and add nothing.
    const below = component.flatMap(inner).reduce((most, message) => Math.max(most, levels.get(message) ?? 0), 0);
    for (const message of component) levels.set(message, below + 1);
  }
  for (const { id, input, output } of operations) {
    const message = [input, output].find((one) => (levels.get(one) ?? 0) > maxNesting);
    if (message === undefined) continue;
    return `messages in ${message.typeName} of ${id} nest ${levels.get(message)} levels deep, and protobuf libraries read ${maxNesting} at most: nest them less deeply`;
  }
  return undefined;
}
