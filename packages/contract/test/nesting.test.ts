// How deep a contract's messages may nest.
import { create, fromBinary, toBinary, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorSetSchema,
  type DescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import type { Contract } from "../src/descriptors/contract.ts";
import { contractFromImage } from "../src/descriptors/load-contract.ts";
import { maxNesting, nestingFault } from "../src/descriptors/components.ts";

/** A contract of messages that each hold the next one; `last` is what the last one holds. */
function chainOf(length: number, last: number | undefined): Contract {
  const messageType = Array.from({ length }, (_, index): MessageInitShape<typeof DescriptorProtoSchema> => {
    const next = index + 1 < length ? index + 1 : last;
    const held = {
      name: "next",
      number: 1,
      label: Label.OPTIONAL,
      type: Type.MESSAGE,
      typeName: `.deep.v1.M${next}`,
      jsonName: "next",
    };
    return { name: `M${index}`, field: next === undefined ? [] : [held] };
  });
  const method = [{ name: "Dig", inputType: `.deep.v1.M${length - 1}`, outputType: ".deep.v1.M0" }];
  const file = {
    name: "deep.proto",
    package: "deep.v1",
    syntax: "proto3",
    messageType,
    service: [{ name: "Deep", method }],
  };
  return contractFromImage(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [file] })));
}

/** Bytes of messages inside each other, each in its only field. */
function nested(levels: number): Uint8Array {
  let bytes: number[] = [];
  for (let level = 1; level < levels; level++) {
    const size = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
    bytes = [0x0a, ...size, ...bytes];
  }
  return Uint8Array.from(bytes);
}

const answerOf = ({ operations: [operation] }: Contract): DescMessage | undefined => operation?.output;

test("a chain of messages may be as long as the library reads, and no longer", () => {
  const longest = chainOf(maxNesting, undefined);
  expect(nestingFault(longest)).toBeUndefined();
  const tooLong = chainOf(maxNesting + 1, undefined);
  expect(nestingFault(tooLong)).toBe(
    "messages in deep.v1.M0 of deep.v1.Deep.Dig nest 101 levels deep, but protobuf libraries read at most 100: reduce the nesting",
  );
  const [inLongest, inTooLong] = [answerOf(longest), answerOf(tooLong)];
  if (inLongest === undefined || inTooLong === undefined) throw new Error("no operation");
  expect(() => fromBinary(inLongest, nested(maxNesting))).not.toThrow();
  expect(() => fromBinary(inTooLong, nested(maxNesting + 1))).toThrow("recursion depth");
});

test("types that hold each other are one level, however many they are", () => {
  expect(nestingFault(chainOf(20_000, 0))).toBeUndefined();
  expect(nestingFault(chainOf(20_000, undefined))).toContain("nest 20000 levels deep");
});
