// Bindings say where an operation is on HTTP; one that speaks of what is not there is refused when the contract is loaded.
import { create, setExtension, toBinary } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  file_google_protobuf_descriptor,
  FileDescriptorSetSchema,
  MethodOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { file_google_api_annotations, http } from "../src/gen/google/api/annotations_pb.ts";
import { file_google_api_http, HttpRuleSchema } from "../src/gen/google/api/http_pb.ts";
import { contractFromImage, oddBindings, type Contract } from "../src/index.ts";

type Rule = Parameters<typeof create<typeof HttpRuleSchema>>[1];

function text(name: string, number: number, label = Label.OPTIONAL) {
  return { name, number, label, type: Type.STRING };
}

/** `test.Things.Get` with this binding; its request has `id`, `ids` and `inner.id`. */
function contractWith(rule: Rule | undefined): Contract {
  const options = create(MethodOptionsSchema);
  if (rule !== undefined) setExtension(options, http, create(HttpRuleSchema, rule));
  const inner = { name: "inner", number: 3, label: Label.OPTIONAL, type: Type.MESSAGE, typeName: ".test.Thing" };
  const set = create(FileDescriptorSetSchema, {
    file: [
      file_google_protobuf_descriptor.proto,
      file_google_api_http.proto,
      file_google_api_annotations.proto,
      {
        name: "test.proto",
        package: "test",
        syntax: "proto3",
        dependency: ["google/api/annotations.proto"],
        messageType: [{ name: "Thing", field: [text("id", 1), text("ids", 2, Label.REPEATED), inner] }],
        service: [
          {
            name: "Things",
            method: [{ name: "Get", inputType: ".test.Thing", outputType: ".test.Thing", options }],
          },
        ],
      },
    ],
  });
  return contractFromImage(toBinary(FileDescriptorSetSchema, set));
}

const get = (value: string): Rule => ({ pattern: { case: "get", value } });

test("without an annotation a method is a POST with everything in the body", () => {
  expect(contractWith(undefined).operation("test.Things.Get").bindings).toMatchObject([
    { method: "POST", path: { source: "/test.Things/Get" }, body: "*", responseBody: "" },
  ]);
});

test("an annotation gives method, path and bodies, and further bindings follow the main one", () => {
  const rule: Rule = {
    pattern: { case: "custom", value: { kind: "search", path: "/v1/{inner.id}" } },
    body: "inner",
    responseBody: "ids",
    additionalBindings: [{ pattern: { case: "put", value: "/v2/{id}" }, body: "*" }],
  };
  expect(contractWith(rule).operation("test.Things.Get").bindings).toMatchObject([
    { method: "SEARCH", path: { source: "/v1/{inner.id}" }, body: "inner", responseBody: "ids" },
    { method: "PUT", path: { source: "/v2/{id}" }, body: "*", responseBody: "" },
  ]);
});

test.for([
  ["a list in the path", get("/v1/{ids}"), "GET /v1/{ids}: ids is repeated, but a path variable has one value"],
  [
    "a body within a field",
    { ...get("/v1/things"), body: "inner.id" },
    "GET /v1/things: body inner.id must be a top-level field of the request",
  ],
] as const)("reports a binding that only some gateways serve, and uses the default binding: %s", ([, rule, why]) => {
  const { bindings, method } = contractWith(rule).operation("test.Things.Get");
  expect(bindings.map(({ path }) => path.source)).toEqual(["/test.Things/Get"]);
  expect(oddBindings(method)).toEqual([why]);
  const also = contractWith({
    ...rule,
    additionalBindings: [create(HttpRuleSchema, { pattern: { case: "get", value: "/v2/{id}" } })],
  }).operation("test.Things.Get");
  expect(also.bindings.map(({ path }) => path.source)).toEqual(["/v2/{id}"]);
});

describe("a binding that speaks of what is not there is refused", () => {
  test.for([
    ["a field of the path", get("/v1/{nosuch}"), "Thing has no field nosuch"],
    ["a field within a field", get("/v1/{inner.nosuch}"), "Thing has no field inner.nosuch"],
    ["a field within a text", get("/v1/{id.part}"), "Thing has no field id.part"],
    ["a body within a field", { ...get("/v1"), body: "inner.nosuch" }, "Thing has no field inner.nosuch"],
    ["a body", { ...get("/v1"), body: "nosuch" }, "Thing has no field nosuch"],
    ["an answer's body", { ...get("/v1"), responseBody: "nosuch" }, "Thing has no field nosuch"],
    ["a path", {}, "names no path"],
  ] as const)("%s", ([, rule, why]) => {
    expect(() => contractWith(rule)).toThrow(`google.api.http of test.Things.Get: ${why}`);
  });
});
