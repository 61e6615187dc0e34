// The rules of protoc-gen-validate hold as those of buf.validate do.
import type { JsonObject } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { limitsOf } from "../src/validation/field-rules.ts";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { violations } from "./support/violations.ts";

// The declarations of protoc-gen-validate that the test needs, with their numbers.
const contract = compileContract(`
syntax = "proto3";
package validate;
import "google/protobuf/descriptor.proto";
import "google/protobuf/duration.proto";
extend google.protobuf.MessageOptions { optional bool disabled = 1071; }
extend google.protobuf.OneofOptions { optional bool required = 1071; }
extend google.protobuf.FieldOptions { optional FieldRules rules = 1071; }
message FieldRules {
  optional MessageRules message = 17;
  oneof type {
    Int32Rules int32 = 3;
    StringRules string = 14;
    RepeatedRules repeated = 18;
    MapRules map = 19;
    DurationRules duration = 21;
  }
}
message MessageRules { optional bool skip = 1; optional bool required = 2; }
message Int32Rules { optional int32 lt = 2; optional int32 gt = 4; optional bool ignore_empty = 8; }
message StringRules { optional uint64 min_len = 2; optional uint64 max_len = 3; optional string pattern = 6; oneof well_known { bool email = 12; } optional bool ignore_empty = 26; }
message RepeatedRules { optional uint64 min_items = 1; optional FieldRules items = 4; optional bool ignore_empty = 5; }
message MapRules { optional bool no_sparse = 3; optional FieldRules values = 5; }
message DurationRules { optional bool required = 1; optional google.protobuf.Duration lt = 3; }

service Old { rpc Do(Request) returns (Request); }
message Request {
  string name = 1 [(validate.rules).string = {min_len: 1, max_len: 4}];
  string mail = 2 [(validate.rules).string = {email: true, ignore_empty: true}];
  int32 size = 3 [(validate.rules).int32 = {gt: 2, ignore_empty: true}];
  repeated string tags = 4 [(validate.rules).repeated = {items: {string: {min_len: 2}}}];
  map<string, int32> counts = 5 [(validate.rules).map = {no_sparse: true, values: {int32: {lt: 10}}}];
  google.protobuf.Duration wait = 6 [(validate.rules).duration = {required: true, lt: {seconds: 9}}];
  Inner inner = 7 [(validate.rules).message.required = true];
  Inner skipped = 8 [(validate.rules).message.skip = true];
  oneof choice { option (validate.required) = true; string one = 9; string other = 10; }
  Off off = 11;
}
message Inner { string code = 1 [(validate.rules).string.pattern = "^[A-Z]+$"]; }
message Off { option (validate.disabled) = true; string code = 1 [(validate.rules).string.min_len = 3]; }
`);

const good = { name: "Ada", wait: "3s", inner: { code: "AB" }, one: "x" } as const;

it.each([
  [{}, []],
  [{ name: "" }, ["name: string.min_len"]],
  [{ name: "Countess" }, ["name: string.max_len"]],
  [{ mail: "" }, []],
  [{ mail: "nobody" }, ["mail: string.email"]],
  [{ size: 0 }, []],
  [{ size: 1 }, ["size: int32.gt"]],
  [{ tags: ["ab", "c"] }, ["tags[1]: string.min_len"]],
  [{ counts: { a: 11 } }, ['counts["a"]: int32.lt']],
  [{ wait: "9s" }, ["wait: duration.lt"]],
  [{ wait: null }, ["wait: required"]],
  [{ inner: { code: "ab" } }, ["inner.code: string.pattern"]],
  [{ inner: null }, ["inner: required"]],
  [{ skipped: { code: "ab" } }, []],
  [{ one: null }, ["choice: required"]],
  [{ off: { code: "" } }, []],
] as const)("judges %j as %j", (change, broken) => {
  expect(violations(contract, "Do", { ...good, ...change } as unknown as JsonObject)).toEqual(broken);
});

it("is in documents as limits", () => {
  const [operation] = contract.operations;
  const name = operation?.input.field["name"];
  expect(name && limitsOf(name)).toEqual({ minLength: 1, maxLength: 4 });
});
