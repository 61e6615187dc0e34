// `(buf.validate.message).oneof`: groups of fields of which at most one, or exactly one, may be set.
import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { Contract } from "../src/index.ts";
import { requiresValue } from "../src/validation/field-rules.ts";
import { requestRules } from "../src/calls/service-of.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { violations } from "./support/violations.ts";

/** Each type of the messages is the request of the method of its name. */
function contractWith(messages: string): Contract {
  const names = [...messages.matchAll(/^message (\w+)/gm)].map(([, name]) => name);
  return compileContract(`syntax = "proto3";
package shop.v1;
import "buf/validate/validate.proto";
service Shop { ${names.map((name) => `rpc Do${name}(${name}) returns (${name});`).join(" ")} }
${messages}`);
}

const contract = contractWith(`
message Optional { option (buf.validate.message).oneof = {fields: ["a", "b"]}; string a = 1; string b = 2; }
message Exact { option (buf.validate.message).oneof = {fields: ["a", "b"], required: true}; string a = 1; string b = 2; }
message Several {
  option (buf.validate.message).oneof = {fields: ["a", "b"], required: true};
  option (buf.validate.message).oneof = {fields: ["b", "c"]};
  string a = 1; string b = 2; string c = 3; string free = 4;
}
message Kinds {
  option (buf.validate.message).oneof = {fields: ["list", "map", "message", "flag", "data", "color", "maybe"]};
  repeated string list = 1; map<string, string> map = 2; Optional message = 3; bool flag = 4; bytes data = 5; Color color = 6;
  optional string maybe = 7;
}
message Ruled {
  option (buf.validate.message).oneof = {fields: ["a", "b"]};
  string a = 1 [(buf.validate.field).string.min_len = 2];
  int32 b = 2 [(buf.validate.field).int32.gt = 5];
}
message Nested { Optional one = 1; repeated Optional list = 2; map<string, Optional> map = 3; oneof pick { Optional picked = 4; } Nested again = 5; }
enum Color { COLOR_UNSPECIFIED = 0; RED = 1; }
`);

const both = { a: "x", b: "y" };
const onlyOne = "only one of a, b can be set";
const kinds = "only one of list, map, message, flag, data, color, maybe can be set";

it.each<readonly [type: string, request: JsonObject, violations: readonly string[]]>([
  ["Optional", {}, []],
  ["Optional", { a: "x" }, []],
  ["Optional", { a: "", b: "y" }, []],
  ["Optional", both, [`: ${onlyOne}`]],
  ["Exact", {}, [": one of a, b must be set"]],
  ["Exact", { a: "", b: "" }, [": one of a, b must be set"]],
  ["Exact", { b: "y" }, []],
  ["Exact", both, [`: ${onlyOne}`]],
  ["Several", { a: "x", c: "z", free: "w" }, []],
  ["Several", { b: "x" }, []],
  ["Several", { c: "x" }, [": one of a, b must be set"]],
  ["Several", { ...both, c: "z" }, [`: ${onlyOne}`, ": only one of b, c can be set"]],
  ["Kinds", { list: [], map: {}, flag: false, data: "", color: 0, maybe: "" }, []],
  ["Kinds", { list: [""], flag: true }, [`: ${kinds}`]],
  ["Kinds", { map: { a: "" }, data: "AA==" }, [`: ${kinds}`]],
  ["Kinds", { message: {}, color: "RED" }, [`: ${kinds}`]],
  ["Kinds", { message: {}, maybe: "" }, [`: ${kinds}`]],
  // A field of a group that is not set is not checked.
  ["Ruled", {}, []],
  ["Ruled", { b: 6 }, []],
  ["Ruled", { a: "x" }, ["a: must be at least 2 characters"]],
  ["Nested", { one: both }, [`one: ${onlyOne}`]],
  ["Nested", { list: [{ a: "x" }, both] }, [`list[1]: ${onlyOne}`]],
  ["Nested", { map: { k: both } }, [`map["k"]: ${onlyOne}`]],
  ["Nested", { picked: both }, [`picked: ${onlyOne}`]],
  ["Nested", { again: { again: { one: both } } }, [`again.again.one: ${onlyOne}`]],
  ["Nested", { one: { a: "x" }, list: [{}, { b: "y" }], again: { picked: { a: "x" } } }, []],
])("%s %j breaks %j", (type, request, expected) => {
  const shown = violations(contract, `Do${type}`, request, ({ field, description }) => `${field}: ${description}`);
  expect(shown).toEqual(expected);
});

it("makes no field required that is not checked while it is unset", () => {
  const ignoring = contractWith(`
message Request {
  option (buf.validate.message).oneof = {fields: ["a", "b"], required: true};
  string a = 1 [(buf.validate.field).string.min_len = 2];
  string b = 2 [(buf.validate.field).required = true];
  string c = 3 [(buf.validate.field) = {ignore: IGNORE_IF_ZERO_VALUE, string: {min_len: 2}}];
  string d = 4 [(buf.validate.field) = {ignore: IGNORE_ALWAYS, required: true}];
  string e = 5 [(buf.validate.field).string.min_len = 2];
}`);
  const { input } = ignoring.operation("shop.v1.Shop.DoRequest");
  expect(input.fields.filter(requiresValue).map(({ name }) => name)).toEqual(["b", "e"]);
});

describe("a malformed group is an error of the contract", () => {
  it.each([
    ["of no field", "fields: []", "at least one field must be specified"],
    ["with an unknown field", 'fields: ["a", "c"]', 'field "c" not found'],
    ["with a field of another message", 'fields: ["inner.a"]', 'field "inner.a" not found'],
    ["with an empty name", 'fields: ["a", ""]', 'field "" not found'],
    ["with a field twice", 'fields: ["a", "b", "a"]', "duplicate a"],
    ["with the name in JSON", 'fields: ["fullName"]', 'field "fullName" not found'],
  ])("%s", (_, group, reason) => {
    const malformed = contractWith(`
message Outer { Inner inner = 1; }
message Inner { option (buf.validate.message).oneof = {${group}}; string a = 1; string b = 2; string full_name = 3; }`);
    let thrown: unknown;
    try {
      requestRules(malformed);
    } catch (error) {
      thrown = error;
    }
    expect((thrown as Error).message).toContain("the rules of shop.v1.Inner cannot be compiled");
    expect(((thrown as Error).cause as Error).message).toContain(reason);
  });
});
