// The part of a contract that a style carries: what only other styles carry breaks none of its callers.
import type { Contract, Operation, OperationKind } from "@roundtrip/contract";
import type { CheckStyle } from "./judgement.ts";

const notCarried: Readonly<Record<CheckStyle, readonly OperationKind[]>> = {
  grpc: [],
  rest: ["bidi_streaming"],
  graphql: ["client_streaming", "bidi_streaming"],
  code: [],
};

/** Both contracts without the operations that the style carries in neither: one that it carries in one of them has changed. */
export function carriedBy(
  style: CheckStyle,
  before: Contract,
  after: Contract,
): readonly [before: Contract, after: Contract] {
  const carried = ({ operations }: Contract): ReadonlySet<string> =>
    new Set(operations.filter(({ kind }) => !notCarried[style].includes(kind)).map(({ id }) => id));
  const ids = new Set([...carried(before), ...carried(after)]);
  const isCarried = ({ id }: Operation): boolean => ids.has(id);
  return [
    { ...before, operations: before.operations.filter(isCarried) },
    { ...after, operations: after.operations.filter(isCarried) },
  ];
}
