// The number of an operation in the ids of its cases.
import type { Contract, Operation } from "@roundtrip/contract";

/** By the contract's order from `0001` on: the same, whichever operations have cases. */
export function numberOf({ operations }: Contract, operation: Operation): string {
  return String(operations.indexOf(operation) + 1).padStart(4, "0");
}
