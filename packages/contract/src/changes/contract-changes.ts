// What changed between two contracts, as far as callers can see it: one change for each element and aspect.
import type { Contract } from "../descriptors/contract.ts";
import type { Change } from "./change.ts";
import { enumChanges } from "./enum-changes.ts";
import { messageChanges } from "./field-changes.ts";
import { operationChanges } from "./operation-changes.ts";
import { pairTypes } from "./type-pairs.ts";

/** Identifies a change. */
export function keyOf({ kind, where, what }: Change): string {
  return `${kind} ${where} ${what}`;
}

/** The changes from one contract to another: operations first, then messages and enums in the order in which operations use them. */
export function contractChanges(before: Contract, after: Contract): readonly Change[] {
  const { pairs, changes } = operationChanges(before, after);
  const { messages, enums } = pairTypes(pairs);
  const all = [
    ...changes,
    ...messages.flatMap((pair) => messageChanges(pair)),
    ...enums.flatMap((pair) => enumChanges(pair)),
  ];
  // Operations may pair one type with several: what those have in common is listed once.
  const byName = new Map(all.map((change) => [keyOf(change), change]));
  return [...byName.values()];
}
