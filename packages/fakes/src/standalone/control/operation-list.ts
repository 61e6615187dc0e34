// What the control server says of a contract's operations: what each becomes on every style, and a request to start from.
import { create, toJson, type JsonValue } from "@bufbuild/protobuf";
import { commentAbove, type Contract, type Operation } from "@roundtrip/contract";
import type { Stack } from "@roundtrip/stacks";

export interface ListedOperation {
  readonly id: string;
  readonly service: string;
  readonly name: string;
  readonly kind: Operation["kind"];
  readonly comment: string;
  /** In ProtoJSON, every field with its zero value. */
  readonly request: JsonValue;
  readonly styles: readonly {
    readonly stack: string;
    readonly signature: string;
    readonly lost: readonly string[];
  }[];
}

/** In the contract's order. */
export function operationList(contract: Contract, stacks: readonly Stack[]): readonly ListedOperation[] {
  return contract.operations.map((operation) => ({
    id: operation.id,
    service: operation.method.parent.typeName,
    name: operation.method.name,
    kind: operation.kind,
    comment: commentAbove(operation.method),
    request: toJson(operation.input, create(operation.input), {
      alwaysEmitImplicit: true,
      registry: contract.registry,
    }),
    styles: stacks.map((stack) => ({ stack: stack.name, ...stack.view(operation, contract) })),
  }));
}
