// Text that cannot be encoded is refused, wherever in a message it is; what merely looks like it is not.
import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { ValuesSchema } from "../../conformance/src/gen/roundtrip/conformance/v1/values_pb.ts";
import { checkWholeRequest, checkWholeText } from "../src/index.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";

function check(init: MessageInitShape<typeof ValuesSchema>): void {
  const message = create(ValuesSchema, init);
  checkWholeText(message, toBinary(ValuesSchema, message));
}

it.each([
  ["a field", { scalars: { stringValue: "a\uD800" } }],
  ["a list", { lists: { texts: ["whole", "\uDC00"] } }],
  ["a map's value", { maps: { textByText: { key: "\uD800" } } }],
  ["a map's key", { maps: { textByText: { "\uD800": "value" } } }],
  ["a oneof", { choice: { kind: { case: "text", value: "\uDE00\uD83D" } } }],
  ["a message in a message", { tree: { branches: [{ only: { label: "\uD800" } }] } }],
] as const)("half a surrogate pair in %s is refused", (_where, init) => {
  expect(() => check(init as MessageInitShape<typeof ValuesSchema>)).toThrow("half a surrogate pair");
});

it("whole pairs, replacement characters and bytes are kept", () => {
  const values = { stringValue: "𝔘 \uFFFD", bytesValue: new Uint8Array([0xef, 0xd8]) };
  expect(() => check({ scalars: values, lists: { texts: ["ｆｕｌｌ"] } })).not.toThrow();
});

it("a request whose only texts are the keys of a map is searched too", () => {
  const [operation] = compileContract(`
    syntax = "proto3";
    service Counter { rpc Count(Counts) returns (Counts); }
    message Counts { map<string, int32> by_name = 1; }
  `).operations;
  if (operation === undefined) throw new Error("no operation");
  const request = create(operation.input, { byName: { "\uD800": 1 } });
  expect(() => checkWholeRequest(operation, request)).toThrow("half a surrogate pair");
});
