// A contract without its comments is the same contract: nothing else is lost, whatever compiled it.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { descriptorSetFrom, withComments } from "../src/descriptors/foreign.ts";
import { builtInImage, commentAbove, contractFromImage, withoutComments, withSourceInfo } from "../src/index.ts";

it("keeps every descriptor, and nothing of the source", () => {
  const whole = fromBinary(FileDescriptorSetSchema, builtInImage());
  for (const file of whole.file) delete file.sourceCodeInfo;
  const bare = fromBinary(FileDescriptorSetSchema, withoutComments(builtInImage()));
  expect(toBinary(FileDescriptorSetSchema, bare)).toEqual(toBinary(FileDescriptorSetSchema, whole));
});

it("has the same operations, with no word above them", () => {
  const whole = contractFromImage(builtInImage());
  const bare = contractFromImage(withoutComments(builtInImage()));
  expect(bare.operations.map(({ id, bindings }) => ({ id, bindings }))).toEqual(
    whole.operations.map(({ id, bindings }) => ({ id, bindings })),
  );
  expect(whole.operations.every(({ method }) => commentAbove(method) !== "")).toBe(true);
  expect(bare.operations.some(({ method }) => commentAbove(method) !== "")).toBe(false);
});

it("gives a set its comments back, and a contract only when they are read", () => {
  const whole = fromBinary(FileDescriptorSetSchema, builtInImage());
  const { set, comments } = descriptorSetFrom(builtInImage());
  expect(set.file.filter(({ sourceCodeInfo }) => sourceCodeInfo !== undefined)).toHaveLength(0);
  const image = withComments(toBinary(FileDescriptorSetSchema, set), comments);
  const again = fromBinary(FileDescriptorSetSchema, image);
  expect(toBinary(FileDescriptorSetSchema, again)).toEqual(toBinary(FileDescriptorSetSchema, whole));
  const files = [...contractFromImage(image).registry.files];
  expect(files.filter(({ proto }) => proto.sourceCodeInfo !== undefined)).toHaveLength(0);
  const sources = new Map(whole.file.map(({ name, sourceCodeInfo }) => [name, sourceCodeInfo]));
  for (const file of files) expect(withSourceInfo(file).sourceCodeInfo).toEqual(sources.get(file.proto.name));
});

it("leaves a contract without comments as it is, and an empty one empty", () => {
  const bare = withoutComments(builtInImage());
  expect(withoutComments(bare)).toEqual(bare);
  expect(withoutComments(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema)))).toHaveLength(0);
});

it("refuses bytes that are no descriptor set", () => {
  expect(() => withoutComments(Uint8Array.of(0x0a, 0xff))).toThrow(Error);
});
