// The rule language that we bring is a part of protovalidate's own: whoever reads our descriptors with protovalidate, in any
// language, reads the same rules.
import { type DescField } from "@bufbuild/protobuf";
import { file_buf_validate_validate as complete } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { describe, expect, it } from "vitest";
import { file_buf_validate_validate as ours } from "../src/gen/buf/validate/validate_pb.ts";

function shapeOf(field: DescField | (typeof ours.extensions)[number]) {
  const { name, number, proto } = field;
  const { type, label, typeName, oneofIndex } = proto;
  return {
    name,
    number,
    type,
    label,
    typeName,
    oneof: oneofIndex === undefined || field.kind === "extension" ? "" : field.oneof?.name,
  };
}

describe.each(ours.messages.map((message) => ({ name: message.typeName, message })))("$name", ({ name, message }) => {
  const original = complete.messages.find(({ typeName }) => typeName === name);

  it("is a message of protovalidate", () => {
    expect(original).toBeDefined();
  });

  it.each(message.fields.map((field) => ({ field: field.name, mine: field })))(
    "has $field with the number, type and oneof of the original",
    ({ field, mine }) => {
      const theirs = original?.fields.find((one) => one.name === field);
      expect(theirs && shapeOf(theirs)).toEqual(shapeOf(mine));
    },
  );
});

it.each(ours.extensions.map((extension) => ({ name: extension.typeName, extension })))(
  "extends options by $name as protovalidate does",
  ({ name, extension }) => {
    const original = complete.extensions.find(({ typeName }) => typeName === name);
    expect(original && shapeOf(original)).toEqual(shapeOf(extension));
    expect(original?.extendee.typeName).toBe(extension.extendee.typeName);
  },
);
