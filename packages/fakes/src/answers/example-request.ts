// Requests to begin with: made up for an operation, the same each time, and such as keep the contract's rules.
import { clearField, type Message } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { crc32 } from "node:zlib";
import { AnswerMaker } from "./answer-maker.ts";
import { Draw } from "./draw.ts";

/** What a first request does without: made up, a token is of no list, a filter matches nothing, and a trial changes nothing. */
const unasked: ReadonlySet<string> = new Set(
  ["page_token", "page_size", "skip", "read_mask", "update_mask", "field_mask", "filter", "order_by"].concat([
    "etag",
    "validate_only",
    "dry_run",
  ]),
);

/** Makes requests for the operations of one contract: all fields set, or without those that a first request does without. */
export function exampleRequests(contract: Contract): (operation: Operation, isWhole?: boolean) => Message {
  const maker = new AnswerMaker(contract, 0);
  return ({ id, input }, isWhole = false) => {
    const request = maker.message(input, new Draw([crc32(id), 0, 0, 0]));
    if (isWhole) return request;
    for (const field of input.fields) if (unasked.has(field.name)) clearField(request, field);
    return request;
  };
}
