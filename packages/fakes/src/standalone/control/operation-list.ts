// What the control server says of a contract's operations: what each becomes on every style, and a request to start from.
import { clearField, toJson, type JsonValue } from "@bufbuild/protobuf";
import { commentAbove, type Contract, type Operation } from "@roundtrip/contract";
import type { Stack } from "@roundtrip/stacks";
import { crc32 } from "node:zlib";
import { AnswerMaker } from "../../answers/answer-maker.ts";
import { Draw } from "../../answers/draw.ts";

export interface ListedOperation {
  readonly id: string;
  readonly service: string;
  readonly name: string;
  readonly kind: Operation["kind"];
  readonly comment: string;
  /** In ProtoJSON: one that keeps the contract's rules, the same each time. */
  readonly request: JsonValue;
  readonly styles: readonly {
    readonly title: string;
    readonly signature: string;
    readonly lost: readonly string[];
  }[];
}

/** What a first request does without: made up, a token is of no list, and a filter matches nothing. */
const unasked: ReadonlySet<string> = new Set(["page_token", "page_size", "read_mask", "filter", "order_by"]);

/** A request to start from. */
function exampleOf({ id, input }: Operation, contract: Contract, maker: AnswerMaker): JsonValue {
  const request = maker.message(input, new Draw([crc32(id), 0, 0, 0]));
  for (const field of input.fields.filter(({ name }) => unasked.has(name))) clearField(request, field);
  return toJson(input, request, { registry: contract.registry });
}

/** In the contract's order. */
export function operationList(contract: Contract, stacks: readonly Stack[]): readonly ListedOperation[] {
  const maker = new AnswerMaker(contract, 0);
  return contract.operations.map((operation) => ({
    id: operation.id,
    service: operation.method.parent.typeName,
    name: operation.method.name,
    kind: operation.kind,
    comment: commentAbove(operation.method),
    request: exampleOf(operation, contract, maker),
    styles: stacks.map((stack) => ({ title: stack.title, ...stack.view(operation, contract) })),
  }));
}
