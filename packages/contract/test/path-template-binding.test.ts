// Bindings say where an operation is on HTTP; a rule that cannot be served is ignored and reported.
import { describe, expect, test } from "vitest";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { ignoredBindings, type Operation } from "../src/index.ts";

const wellKnown = ["any", "empty", "struct", "timestamp", "wrappers"];

/** Operations with these rules, the text of `google.api.http`; undefined for none. */
function operationsWith(rules: readonly (string | undefined)[]): readonly Operation[] {
  const methods = rules.map((rule, index) => {
    const option = rule === undefined ? "" : `option (google.api.http) = {${rule}};`;
    return `rpc Get${index}(Thing) returns (Thing) { ${option} }`;
  });
  const { operations } = compileContract(`
    syntax = "proto3"; package test; import "google/api/annotations.proto";
    ${wellKnown.map((name) => `import "google/protobuf/${name}.proto";`).join("\n")}
    service Things { ${methods.join("\n")} }
    message Thing {
      string id = 1; repeated string ids = 2; Thing inner = 3; repeated Thing list = 4; map<string, Thing> map = 5;
      oneof pick { string x = 6; string y = 7; Thing z = 8; }
      google.protobuf.Struct struct = 9; google.protobuf.Value value = 10; google.protobuf.ListValue values = 11;
      google.protobuf.Any any = 12; google.protobuf.Empty empty = 13; google.protobuf.Timestamp time = 14;
      google.protobuf.Int64Value number = 15;
    }`);
  return operations;
}

function sources({ bindings }: Operation): readonly string[] {
  return bindings.map(({ path }) => path.source);
}

test("without an annotation a method is a POST with everything in the body", () => {
  const [{ bindings }] = operationsWith([undefined]) as [Operation];
  expect(bindings).toMatchObject([
    { method: "POST", path: { source: "/test.Things/Get0" }, body: "*", responseBody: "" },
  ]);
});

test("an annotation gives method, path and bodies, and further bindings follow the main one", () => {
  const rule = `custom: {kind: "search" path: "/v1/{inner.id}"} body: "inner" response_body: "ids"
    additional_bindings {put: "/v2/{id}" body: "*"}`;
  const [{ bindings }] = operationsWith([rule]) as [Operation];
  expect(bindings).toMatchObject([
    { method: "SEARCH", path: { source: "/v1/{inner.id}" }, body: "inner", responseBody: "ids" },
    { method: "PUT", path: { source: "/v2/{id}" }, body: "*", responseBody: "" },
  ]);
});

const custom = (kind: string): string => `custom: {kind: "${kind}" path: "/v1"}`;

/** GET of a path, and why it cannot be served. */
const paths: readonly (readonly [what: string, path: string, why: string])[] = [
  ["a list in the path", "/v1/{ids}", "ids is repeated, but a path variable has one value"],
  ["a map in the path", "/v1/{map}", "map is a map, but a path variable has one value"],
  ["a message in the path", "/v1/{inner}", "inner is a test.Thing, which a path cannot spell"],
  ...["Struct struct", "Value value", "ListValue values", "Any any", "Empty empty"].map((text) => {
    const [type = "", name = ""] = text.split(" ");
    return [
      `a ${type} in the path`,
      `/v1/{${name}}`,
      `${name} is a google.protobuf.${type}, which a path cannot spell`,
    ] as const;
  }),
  ["a field in a list", "/v1/{list.id}", "list is repeated, but a path variable has one value"],
  [
    "a field of a time",
    "/v1/{time.seconds}",
    "time is a google.protobuf.Timestamp, whose fields have no names in JSON",
  ],
  [
    "a field of a wrapper",
    "/v1/{number.value}",
    "number is a google.protobuf.Int64Value, whose fields have no names in JSON",
  ],
  ["an unknown field", "/v1/{nosuch}", "Thing has no field nosuch"],
  ["an unknown nested field", "/v1/{inner.no}", "Thing has no field inner.no"],
  ["a field in a text", "/v1/{id.part}", "Thing has no field id.part"],
  [
    "two members of a oneof",
    "/v1/{inner.x}/{inner.y}",
    "x and y are members of the oneof inner.pick, which has one value",
  ],
  [
    "a member of a oneof and a field of another",
    "/v1/{x}/{z.id}",
    "x and z are members of the oneof pick, which has one value",
  ],
  ["a malformed path", "/v1/", 'the path cannot be read from "/" on'],
  ["a variable twice", "/v1/{id}/{id}", "the path has the variable id twice"],
];

describe("ignores a rule that cannot be served, reports it, and keeps the other rules or the default path", () => {
  const rows: readonly (readonly [what: string, rule: string, report: string])[] = [
    ...paths.map(([what, path, why]) => [what, `get: "${path}"`, `GET ${path}: @${why}`] as const),
    [
      "a nested body",
      'post: "/v1" body: "inner.id"',
      "POST /v1: @body inner.id must be a top-level field of the request",
    ],
    ["an unknown body", 'post: "/v1" body: "nosuch"', "POST /v1: @Thing has no field nosuch"],
    ["an unknown answer's body", 'get: "/v1" response_body: "nosuch"', "GET /v1: @Thing has no field nosuch"],
    ["a nested answer's body", 'get: "/v1" response_body: "inner.id"', "GET /v1: @Thing has no field inner.id"],
    ["no path", "", "google.api.http: @names no path"],
    ["a method that is no token", custom("a b"), 'A B /v1: @"A B" is not an HTTP method'],
    ["an empty method", custom(""), ' /v1: @"" is not an HTTP method'],
    ["a body of TRACE", `${custom("TRACE")} body: "*"`, "TRACE /v1: @a request with TRACE has no body"],
    ["a method of proxies", custom("CONNECT"), "CONNECT /v1: @a request with the HTTP method CONNECT has no path"],
    ["a method that servers refuse", custom("Frob"), "FROB /v1: @servers of Node.js refuse the HTTP method FROB"],
  ];
  const alone = operationsWith(rows.map(([, rule]) => rule));
  const also = operationsWith(rows.map(([, rule], index) => `${rule} additional_bindings {get: "/v${index}/{id}"}`));
  test.for(rows.map(([what, , report], index) => ({ what, report, index })))("$what", ({ report, index }) => {
    const operation = alone[index] as Operation;
    expect(sources(operation)).toEqual([`/test.Things/Get${index}`]);
    expect(ignoredBindings(operation.method)).toEqual([report.replace("@", "this rule is ignored: ")]);
    expect(sources(also[index] as Operation)).toEqual([`/v${index}/{id}`]);
  });
});

test("additional bindings of an additional binding are ignored and reported, at any depth", () => {
  const fourth = 'additional_bindings {get: "/v4"}';
  const third = `additional_bindings {get: "/v3/{id}" ${fourth}}`;
  const [operation] = operationsWith([`get: "/v1/{id}" additional_bindings {get: "/v2/{id}" ${third}}`]) as [Operation];
  expect(sources(operation)).toEqual(["/v1/{id}", "/v2/{id}"]);
  expect(ignoredBindings(operation.method)).toEqual(
    ["GET /v3/{id}", "GET /v4"].map(
      (path) => `${path}: this rule is ignored: an additional binding has no additional bindings of its own`,
    ),
  );
});

test("takes any HTTP method", () => {
  const kinds = ["HEAD", "search", "M-SEARCH", "*", "Trace", "OPTIONS"];
  const operations = operationsWith(kinds.map(custom));
  expect(operations.map(({ bindings }) => bindings.map(({ method }) => method))).toEqual(
    kinds.map((kind) => [kind.toUpperCase()]),
  );
  expect(operations.flatMap(({ method }) => ignoredBindings(method))).toEqual([]);
});
