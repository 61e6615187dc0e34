// A response is unchanged after it has travelled as JSON, even if only the contract's registry knows a type in it.
import { create, equals } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { responseReader, responseWriter } from "../src/rest/response-codec.ts";
import { library } from "../../stacks/test/support/library.ts";

it("a response with an Any of the contract's types is unchanged", () => {
  const operation = library.operation("library.v1.Library.Read");
  const binding = { ...operation.bindings[0], responseBody: "" };
  const { input: nested } = library.operation("library.v1.Library.Move");
  const any = operation.output.fields.find((field) => field.message?.typeName === "google.protobuf.Any");
  const response = create(operation.output, {
    [any?.localName ?? ""]: anyPack(nested, create(nested, { someText: "inside" })),
  });
  const text = responseWriter(library, operation, binding)(response) ?? "";
  expect(text).toContain('"inside"');
  expect(equals(operation.output, responseReader(library, operation, binding)(Buffer.from(text)), response)).toBe(true);
});
