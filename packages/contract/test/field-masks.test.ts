// Masks have limits of their own: a path of a type that contains itself can be as long as a request.
import { create } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { maxMaskPaths, readMask, readTrees, writeMask } from "../src/calls/field-masks.ts";
import { maxNesting } from "../src/descriptors/components.ts";

const { input: node } = compileContract(`syntax = "proto3";
package masks.v1;
service Nodes { rpc Get(Node) returns (Node); }
message Node { string title = 1; Node child = 2; repeated Node kids = 3; }
`).operation("masks.v1.Nodes.Get");

const chain = (levels: number): string => [...Array.from({ length: levels - 1 }, () => "child"), "title"].join(".");

function invalid(description: string): object {
  return expect.objectContaining({ code: "INVALID_ARGUMENT", message: `mask: ${description}` }) as object;
}

describe.each([
  ["read", (paths: string[]) => readTrees([node], create(FieldMaskSchema, { paths }), "mask")],
  ["write", (paths: string[]) => writeMask(node, create(FieldMaskSchema, { paths }), "mask")],
])("a mask to %s", (_, parse) => {
  it("may be as deep as messages nest, and have as many paths as the limit", () => {
    const paths = Array.from({ length: maxMaskPaths }, () => chain(maxNesting));
    expect(() => parse(paths)).not.toThrow();
  });

  it.each([maxNesting + 1, 600_000])("rejects a path of %i fields", (levels) => {
    expect(() => parse([chain(levels)])).toThrow(invalid(`has a path of more than ${maxNesting} fields`));
  });

  it("rejects more paths than the limit", () => {
    const paths = Array.from({ length: maxMaskPaths + 1 }, () => "title");
    expect(() => parse(paths)).toThrow(invalid(`has more than ${maxMaskPaths} paths`));
  });

  it("rejects a path behind a field that is no message", () => {
    expect(() => parse(["title.child"])).toThrow(invalid('Node has no field "title.child"'));
  });
});

it("means a whole field, whether a path inside it comes before or after", () => {
  const child = create(node, { title: "b", kids: [create(node)] });
  const message = create(node, { title: "a", child });
  for (const paths of [
    ["child.title", "child"],
    ["child", "child.title"],
  ]) {
    const read = readMask(node, create(FieldMaskSchema, { paths }));
    expect(read(message)).toEqual(create(node, { child }));
  }
});
