// Bindings say where an operation is on HTTP; a rule that cannot be served is ignored and reported.
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
import { contractFromImage, ignoredBindings, type Contract } from "../src/index.ts";

type Rule = Parameters<typeof create<typeof HttpRuleSchema>>[1];

function text(name: string, number: number, label = Label.OPTIONAL) {
  return { name, number, label, type: Type.STRING };
}

/** `test.Things.Get` with this binding; its request has `id`, `ids`, `list`, `map`, `x` or `y`, and itself as `inner`. */
function contractWith(rule: Rule | undefined): Contract {
  const options = create(MethodOptionsSchema);
  if (rule !== undefined) setExtension(options, http, create(HttpRuleSchema, rule));
  const inner = { name: "inner", number: 3, label: Label.OPTIONAL, type: Type.MESSAGE, typeName: ".test.Thing" };
  const list = { ...inner, name: "list", number: 4, label: Label.REPEATED };
  const map = { ...list, name: "map", number: 5, typeName: ".test.Thing.MapEntry" };
  const entry = {
    name: "MapEntry",
    field: [
      { ...text("key", 1), jsonName: "key" },
      { ...text("value", 2), jsonName: "value" },
    ],
    options: { mapEntry: true },
  };
  const members = ["x", "y"].map((name, index) => ({ ...text(name, 6 + index), oneofIndex: 0 }));
  const own = [text("id", 1), text("ids", 2, Label.REPEATED), inner, list, map, ...members];
  const thing = { name: "Thing", field: own, nestedType: [entry], oneofDecl: [{ name: "pick" }] };
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
        messageType: [thing],
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
const custom = (kind: string): Rule => ({ pattern: { case: "custom", value: { kind, path: "/v1" } } });

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

describe("ignores a rule that cannot be served, reports it, and keeps the other rules or the default path", () => {
  test.for<readonly [what: string, rule: Rule, report: string]>([
    ["a list in the path", get("/v1/{ids}"), "GET /v1/{ids}: @ids is repeated, but a path variable has one value"],
    ["a map in the path", get("/v1/{map}"), "GET /v1/{map}: @map is a map, but a path variable has one value"],
    ["a message in the path", get("/v1/{inner}"), "GET /v1/{inner}: @inner is a test.Thing, which a path cannot spell"],
    [
      "a field in a list",
      get("/v1/{list.id}"),
      "GET /v1/{list.id}: @list is repeated, but a path variable has one value",
    ],
    ["an unknown field", get("/v1/{nosuch}"), "GET /v1/{nosuch}: @Thing has no field nosuch"],
    ["an unknown nested field", get("/v1/{inner.no}"), "GET /v1/{inner.no}: @Thing has no field inner.no"],
    ["a field in a text", get("/v1/{id.part}"), "GET /v1/{id.part}: @Thing has no field id.part"],
    [
      "two members of a oneof",
      get("/v1/{inner.x}/{inner.y}"),
      "GET /v1/{inner.x}/{inner.y}: @x and y are members of the oneof inner.pick, which has one value",
    ],
    [
      "a nested body",
      { ...get("/v1"), body: "inner.id" },
      "GET /v1: @body inner.id must be a top-level field of the request",
    ],
    ["an unknown body", { ...get("/v1"), body: "nosuch" }, "GET /v1: @Thing has no field nosuch"],
    ["an unknown answer's body", { ...get("/v1"), responseBody: "nosuch" }, "GET /v1: @Thing has no field nosuch"],
    ["no path", {}, "google.api.http: @names no path"],
    ["a malformed path", get("/v1/"), 'GET /v1/: @the path cannot be read from "/" on'],
    ["a variable twice", get("/v1/{id}/{id}"), "GET /v1/{id}/{id}: @the path has the variable id twice"],
    ["a method that is no token", custom("a b"), 'A B /v1: @"A B" is not an HTTP method'],
    ["an empty method", custom(""), ' /v1: @"" is not an HTTP method'],
    ["a body of TRACE", { ...custom("TRACE"), body: "*" }, "TRACE /v1: @a request with TRACE has no body"],
    ["a method of proxies", custom("CONNECT"), "CONNECT /v1: @a request with the HTTP method CONNECT has no path"],
    ["a method that servers refuse", custom("Frob"), "FROB /v1: @servers of Node.js refuse the HTTP method FROB"],
  ])("%s", ([, rule, report]) => {
    const { bindings, method } = contractWith(rule).operation("test.Things.Get");
    expect(bindings.map(({ path }) => path.source)).toEqual(["/test.Things/Get"]);
    expect(ignoredBindings(method)).toEqual([report.replace("@", "this rule is ignored: ")]);
    const additional = create(HttpRuleSchema, { pattern: { case: "get", value: "/v2/{id}" } });
    const also = contractWith({ ...rule, additionalBindings: [additional] }).operation("test.Things.Get");
    expect(also.bindings.map(({ path }) => path.source)).toEqual(["/v2/{id}"]);
  });
});

test("additional bindings of an additional binding are ignored and reported, at any depth", () => {
  const third: Rule = { ...get("/v3/{id}"), additionalBindings: [create(HttpRuleSchema, get("/v4"))] };
  const second: Rule = { ...get("/v2/{id}"), additionalBindings: [create(HttpRuleSchema, third)] };
  const rule: Rule = { ...get("/v1/{id}"), additionalBindings: [create(HttpRuleSchema, second)] };
  const { bindings, method } = contractWith(rule).operation("test.Things.Get");
  expect(bindings.map(({ path }) => path.source)).toEqual(["/v1/{id}", "/v2/{id}"]);
  expect(ignoredBindings(method)).toEqual(
    ["GET /v3/{id}", "GET /v4"].map(
      (path) => `${path}: this rule is ignored: an additional binding has no additional bindings of its own`,
    ),
  );
});

test.for(["HEAD", "search", "M-SEARCH", "*", "Trace", "OPTIONS"])("takes the HTTP method %s", (kind) => {
  const { bindings, method } = contractWith(custom(kind)).operation("test.Things.Get");
  expect(bindings.map((binding) => binding.method)).toEqual([kind.toUpperCase()]);
  expect(ignoredBindings(method)).toEqual([]);
});
