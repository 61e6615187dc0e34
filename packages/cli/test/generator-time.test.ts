// How long protoc-gen-es takes is said before, from the number of types in a file.
import { create, createFileRegistry } from "@bufbuild/protobuf";
import {
  type FileDescriptorProto,
  FieldDescriptorProto_Type as Type,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { generatorNotice } from "../src/types/generator-time.ts";

function noticeOf(types: number, files = 1): string | undefined {
  const file = Array.from({ length: files }, (__, part) => ({
    name: `part${part}.proto`,
    package: `part${part}`,
    syntax: "proto3",
    messageType: Array.from({ length: types }, (_, index) => ({
      name: `M${index}`,
      field: [{ name: "next", number: 1, type: Type.MESSAGE, typeName: `.part${part}.M${(index + 1) % types}` }],
    })),
  }));
  const { files: all } = createFileRegistry(create(FileDescriptorSetSchema, { file: file as FileDescriptorProto[] }));
  return generatorNotice(all);
}

test.each([
  { types: 500, files: 1, notice: undefined },
  { types: 3_000, files: 1, notice: /^Types of this contract take about 90 s: part0\.proto has 3000 types, / },
  { types: 500, files: 6, notice: /^Types of this contract take about 20 s: / },
])("$types types in each of $files files have this notice: $notice", ({ types, files, notice }) => {
  expect(noticeOf(types, files) ?? "none").toMatch(notice ?? /^none$/);
});

test("types that would take longer than is waited for are refused at once", () => {
  expect(() => noticeOf(9_000)).toThrow(
    "types of this contract would take 800 s, more than 600 s: part0.proto has 9000 types, and the time of protoc-gen-es grows with their square; " +
      "split the file",
  );
});
