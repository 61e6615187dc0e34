// Finds the operations of a contract that a rule names, by name or pattern.
import type { Contract, Operation } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { operationNamed } from "../basics/operation-named.ts";
import type { Fault } from "./fault-plan.ts";
import { matchesOperation, answersWithStream } from "./operation-rules.ts";

export interface NamedOperations {
  /** An operation's id, or the pattern. */
  readonly operation: string;
  /** At least one, except for `*`. */
  readonly operations: readonly Operation[];
}

/**
 * The operations whose id ends with this name or matches this pattern. Throws a FakeError if there are none.
 * @param path the path of the name
 */
export function namedOperations(name: string, contract: Contract, path: ValuePath): NamedOperations {
  if (!name.includes("*")) {
    const operation = operationNamed(contract, name, path);
    return { operation: operation.id, operations: [operation] };
  }
  const operations = contract.operations.filter(({ id }) => matchesOperation(name, id));
  // `*` is never a typing mistake, even in an empty contract.
  if (operations.length > 0 || name === "*") return { operation: name, operations };
  const known = contract.operations.map(({ id }) => id);
  const nearest = suggestion(name.replaceAll("*", ""), known);
  throw new FakeError("unknown-operation", `no operation of the contract matches "${name}"${nearest}`, { path });
}

/** Throws a FakeError for a fault that the operation cannot have. Of a pattern's operations, those that can have it get it. */
export function checkConcerned(
  { kind }: Pick<Fault, "kind">,
  { operation, operations }: NamedOperations,
  path: ValuePath,
): void {
  if (kind !== "slow-stream" || operation.includes("*") || operations.some(answersWithStream)) return;
  throw new FakeError("wrong-type", `${operation} does not return a stream: use a latency`, { path });
}
