// Losses that several operations share, because they share messages: printed once rather than below each operation.
import type { Contract, Operation } from "@roundtrip/contract";
import type { Stack } from "@roundtrip/stacks";

/** What a style cannot carry of several operations. */
export interface SharedLoss {
  readonly loss: string;
  /** How many operations. */
  readonly operations: number;
}

/** The losses that one stack has at more than one operation, in the order in which they are met. */
export function sharedLosses(
  operations: readonly Operation[],
  contract: Contract,
  stack: Stack,
): readonly SharedLoss[] {
  const count = new Map<string, number>();
  for (const operation of operations) {
    for (const loss of new Set(stack.view(operation, contract).lost)) count.set(loss, (count.get(loss) ?? 0) + 1);
  }
  return [...count].filter(([, times]) => times > 1).map(([loss, times]) => ({ loss, operations: times }));
}
