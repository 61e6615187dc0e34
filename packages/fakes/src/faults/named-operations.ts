// Which operations of a contract the rule of a plan is about, found by the name or the pattern that somebody wrote.
import type { Contract, Operation } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/nearest-name";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { operationNamed } from "../basics/operation-named.ts";
import type { Fault } from "./fault-plan.ts";
import { matchesOperation } from "./operation-pattern.ts";
import { answersWithStream } from "./operation-rules.ts";

export interface NamedOperations {
  /** An operation's id, or the pattern. */
  readonly operation: string;
  /** At least one, but for `*`. */
  readonly operations: readonly Operation[];
}

/**
 * The operations with this name, which may be the end of an id, or that match this pattern. Throws a FakeError when there are none.
 * @param path where the name stands
 */
export function namedOperations(name: string, contract: Contract, path: ValuePath): NamedOperations {
  if (!name.includes("*")) {
    const operation = operationNamed(contract, name, path);
    return { operation: operation.id, operations: [operation] };
  }
  const operations = contract.operations.filter(({ id }) => matchesOperation(name, id));
  // Everything is never a slip, not even where there is nothing.
  if (operations.length > 0 || name === "*") return { operation: name, operations };
  const known = contract.operations.map(({ id }) => id);
  const nearest = suggestion(name.replaceAll("*", ""), known);
  throw new FakeError("unknown-operation", `the contract has no operation like "${name}"${nearest}`, { path });
}

/** Throws a FakeError for a fault that the operation cannot have; of what a pattern matches, those have it that can. */
export function checkConcerned(
  { kind }: Pick<Fault, "kind">,
  { operation, operations }: NamedOperations,
  path: ValuePath,
): void {
  if (kind !== "slow-stream" || operation.includes("*") || operations.some(answersWithStream)) return;
  throw new FakeError("wrong-type", `${operation} answers with one message: give it a latency`, { path });
}
