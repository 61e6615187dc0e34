// The operations of a contract for the control server: their form in every style, and an example request.
import { toJson, type JsonValue } from "@bufbuild/protobuf";
import { commentAbove, type Contract, type Operation } from "@roundtrip/contract";
import type { Stack } from "@roundtrip/stacks";
import { exampleRequests } from "../../examples/example-requests.ts";

export interface ListedOperation {
  readonly id: string;
  readonly service: string;
  readonly name: string;
  readonly kind: Operation["kind"];
  readonly comment: string;
  /** In ProtoJSON: it obeys the contract's rules, a fake with this seed answers it, and it is the same each time. */
  readonly request: JsonValue;
  readonly styles: readonly {
    readonly stack: string;
    readonly title: string;
    readonly signature: string;
    readonly lost: readonly string[];
  }[];
}

/** In the contract's order. */
export function operationList(contract: Contract, stacks: readonly Stack[], seed: number): readonly ListedOperation[] {
  const { registry } = contract;
  const requestTo = exampleRequests(contract, seed);
  return contract.operations.map((operation) => ({
    id: operation.id,
    service: operation.method.parent.typeName,
    name: operation.method.name,
    kind: operation.kind,
    comment: commentAbove(operation.method),
    request: toJson(operation.input, requestTo(operation), { registry }),
    styles: stacks.map((stack) => ({ stack: stack.name, title: stack.title, ...stack.view(operation, contract) })),
  }));
}
