// Finds recursive message types. No document can select all of such a type.
import type { DescMessage } from "@bufbuild/protobuf";
import { componentsOf, memoize } from "@roundtrip/contract";
import type { Model } from "./model.ts";

/** Types that all contain each other, so that each is recursive. */
export type Cycle = ReadonlySet<DescMessage>;

type CycleOf = (message: DescMessage) => Cycle | undefined;

/** The cycle of each message type; undefined for a type that is not recursive. */
export const cyclesOf = memoize((model: Model): CycleOf => {
  const inner = (message: DescMessage): readonly DescMessage[] =>
    model.shapes(message).flatMap(({ value }) => (value.kind === "message" ? [value.message] : []));
  const cycles = new Map<DescMessage, Cycle>();
  const seen = new Set<DescMessage>();
  const find = (roots: readonly DescMessage[]): void => {
    for (const component of componentsOf(roots, inner)) {
      const [first] = component;
      if (first === undefined || seen.has(first)) continue;
      for (const message of component) seen.add(message);
      if (component.length === 1 && !inner(first).includes(first)) continue;
      const cycle = new Set(component);
      for (const message of component) cycles.set(message, cycle);
    }
  };
  // All at once: operations of a large contract share most of their types.
  find(model.roots.flatMap(({ operation }) => [operation.output, operation.input]));
  return (message) => {
    if (!seen.has(message)) find([message]);
    return cycles.get(message);
  };
});
