// Root fields that another operation has after a change. Operations whose names collide get longer ones, in the contract's order, so that a new
// operation, or another order, may give a field to another operation. graphql-js does not see this where types are equal.
import { operationPairs, type Change } from "@roundtrip/contract/changes";
import type { ToolFinding } from "../../basics/breaking-changes.ts";
import type { Model } from "../schema/model.ts";

/** The rule of such findings. */
export const takenField = "FIELD_TAKEN_BY_OPERATION";

function operationsOf(change: Change): readonly string[] {
  switch (change.kind) {
    case "operation-added":
    case "operation-removed":
      return [change.operation.id];
    case "operation-moved":
      return [change.before.id, change.after.id];
    default:
      return [];
  }
}

export function takenFields({
  before,
  after,
}: {
  readonly before: Model;
  readonly after: Model;
}): readonly ToolFinding[] {
  const pairs = new Map(operationPairs(before.contract, after.contract));
  return before.roots.flatMap(({ root, name, operation }): readonly ToolFinding[] => {
    const taker = after.roots.find((field) => field.root === root && field.name === name)?.operation;
    if (taker === undefined || taker === pairs.get(operation)) return [];
    return [
      {
        tool: "graphql",
        rule: takenField,
        isDerived: false,
        text: `${name} is ${taker.id} now`,
        where: operation.id,
        isAbout: (change) => operationsOf(change).some((id) => id === taker.id || id === operation.id),
      },
    ];
  });
}
