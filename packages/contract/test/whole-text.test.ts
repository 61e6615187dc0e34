// Text that cannot be encoded is refused, wherever in a message it is; what merely looks like it is not.
import { create, createFileRegistry, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { ValuesSchema } from "../../conformance/src/gen/roundtrip/conformance/v1/values_pb.ts";
import { checkWholeRequest, checkWholeText, type Operation } from "../src/index.ts";

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
  const { STRING, INT32, MESSAGE } = FieldDescriptorProto_Type;
  const { OPTIONAL, REPEATED } = FieldDescriptorProto_Label;
  const entry = {
    name: "ByNameEntry",
    options: { mapEntry: true },
    field: [
      { name: "key", number: 1, label: OPTIONAL, type: STRING },
      { name: "value", number: 2, label: OPTIONAL, type: INT32 },
    ],
  };
  const byName = { name: "by_name", number: 1, label: REPEATED, type: MESSAGE, typeName: ".Counts.ByNameEntry" };
  const messageType = [{ name: "Counts", nestedType: [entry], field: [byName] }];
  const file = create(FileDescriptorProtoSchema, { name: "counts.proto", syntax: "proto3", messageType });
  const input = createFileRegistry(file, () => undefined).getMessage("Counts");
  if (input === undefined) throw new Error("there is no message Counts");
  const request = create(input, { byName: { "\uD800": 1 } });
  expect(() => checkWholeRequest({ input } as Operation, request)).toThrow("half a surrogate pair");
});
