// What changed between two contracts, as far as callers can see it: one change for each thing and aspect.
import type { Contract } from "@roundtrip/contract";
import type { Change } from "../change.ts";
import { enumChanges } from "./enum-changes.ts";
import { messageChanges } from "./field-changes.ts";
import { operationChanges } from "./operation-changes.ts";
import { pairTypes } from "./type-pairs.ts";

/** What tells a change from all others. */
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
  // One type may be paired with several, when operations took different ways: what they have in common is said once.
  const byName = new Map(all.map((change) => [keyOf(change), change]));
  return [...byName.values()];
}
