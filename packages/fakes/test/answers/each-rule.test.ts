// Every rule of buf.validate alone: made-up messages follow it. every-rule.ts has the combinations that contracts use.
import { toJson } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { FieldRulesSchema, file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { expect, it } from "vitest";
import { AnswerMaker } from "../../src/answers/answer-maker.ts";
import { Draw } from "../../src/answers/draw.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

const numbers = { const: "5", lt: "5", lte: "5", gt: "5", gte: "5", in: "[5, 6]", not_in: "[5]", example: "[5]" };
const fractions = { ...numbers, finite: "true" };
const formats = ["email", "hostname", "ip", "ipv4", "ipv6", "uri", "uri_ref", "address", "uuid", "tuuid", "ulid"]
  .concat(["ip_with_prefixlen", "ipv4_with_prefixlen", "ipv6_with_prefixlen", "ip_prefix", "ipv4_prefix"])
  .concat(["ipv6_prefix", "host_and_port", "protobuf_fqn", "protobuf_dot_fqn"]);
const enabled = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, "true"]));

/** By the type of a field: the value of each rule in the option of this name. */
const valueRules: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  float: fractions,
  double: fractions,
  int32: numbers,
  int64: numbers,
  uint32: numbers,
  uint64: numbers,
  sint32: numbers,
  sint64: numbers,
  fixed32: numbers,
  fixed64: numbers,
  sfixed32: numbers,
  sfixed64: numbers,
  bool: { const: "true", example: "[true]" },
  string: {
    ...enabled(formats),
    const: '"a"',
    len: "2",
    min_len: "2",
    max_len: "2",
    len_bytes: "2",
    min_bytes: "2",
    max_bytes: "2",
    pattern: '"^x+$"',
    prefix: '"a"',
    suffix: '"a"',
    contains: '"a"',
    not_contains: '"a"',
    in: '["a", "b"]',
    not_in: '["a"]',
    well_known_regex: "KNOWN_REGEX_HTTP_HEADER_NAME",
    strict: "false, well_known_regex: KNOWN_REGEX_HTTP_HEADER_VALUE",
    example: '["a"]',
  },
  bytes: {
    ...enabled(["ip", "ipv4", "ipv6", "uuid"]),
    const: '"a"',
    len: "2",
    min_len: "2",
    max_len: "2",
    pattern: '"^x+$"',
    prefix: '"a"',
    suffix: '"a"',
    contains: '"a"',
    in: '["a", "b"]',
    not_in: '["a"]',
    example: '["a"]',
  },
  enum: { const: "1", defined_only: "true", in: "[1]", not_in: "[1]", example: "[1]" },
  repeated: { min_items: "2", max_items: "1", unique: "true", items: "{int32: {gt: 5}}" },
  map: { min_pairs: "2", max_pairs: "1", keys: "{string: {len: 1}}", values: "{int32: {gt: 5}}" },
  any: { in: '["type.googleapis.com/test.v1.One"]', not_in: '["type.googleapis.com/test.v1.One"]' },
  field_mask: { const: '{paths: ["a"]}', in: '["a"]', not_in: '["a"]', example: '[{paths: ["a"]}]' },
  duration: {
    const: "{seconds: 5}",
    lt: "{seconds: 5}",
    lte: "{seconds: 5}",
    gt: "{seconds: 5}",
    gte: "{seconds: 5}",
    in: "[{seconds: 5}]",
    not_in: "[{seconds: 5}]",
    example: "[{seconds: 5}]",
  },
  timestamp: {
    ...enabled(["lt_now", "gt_now"]),
    const: "{seconds: 5}",
    lt: "{seconds: 5}",
    lte: "{seconds: 5}",
    gt: "{seconds: 5}",
    gte: "{seconds: 5}",
    within: "{seconds: 360000}",
    example: "[{seconds: 5}]",
  },
};

/** The types of fields whose option has another name. */
const types: Readonly<Record<string, string>> = {
  enum: "Color",
  repeated: "repeated int32",
  map: "map<string, int32>",
  any: "google.protobuf.Any",
  field_mask: "google.protobuf.FieldMask",
  duration: "google.protobuf.Duration",
  timestamp: "google.protobuf.Timestamp",
};

const isOrdered = 'id: "order", message: "falls", expression: "this.f <= this.g"';

/** The declarations of messages with the other rules. */
const otherRules: Readonly<Record<string, string>> = {
  "FieldRules.cel":
    'int32 f = 1 [(buf.validate.field).cel = {id: "even", message: "is odd", expression: "this % 2 == 0"}];',
  "FieldRules.cel_expression": 'int32 f = 1 [(buf.validate.field).cel_expression = "this % 2 == 0"];',
  "FieldRules.required": "int32 f = 1 [(buf.validate.field).required = true];",
  "FieldRules.ignore": "string f = 1 [(buf.validate.field) = {ignore: IGNORE_IF_ZERO_VALUE, string: {min_len: 2}}];",
  "MessageRules.cel": `option (buf.validate.message).cel = {${isOrdered}}; int32 f = 1; int32 g = 2;`,
  "MessageRules.cel_expression":
    'option (buf.validate.message).cel_expression = "this.f <= this.g"; int32 f = 1; int32 g = 2;',
  "MessageRules.oneof": 'option (buf.validate.message).oneof = {fields: ["f", "g"]}; string f = 1; string g = 2;',
  "MessageOneofRule.fields":
    'option (buf.validate.message).oneof = {fields: ["f", "h"]}; string f = 1; string g = 2; string h = 3;',
  "MessageOneofRule.required":
    'option (buf.validate.message).oneof = {fields: ["f"], required: true}; string f = 1; string g = 2;',
  "OneofRules.required": "oneof kind { option (buf.validate.oneof).required = true; string f = 1; } string g = 2;",
};

const declarations = new Map([
  ...Object.entries(valueRules).flatMap(([name, rules]) =>
    Object.entries(rules).map(([rule, value]): [string, string] => [
      `${name}.${rule}`,
      `${types[name] ?? name} f = 1 [(buf.validate.field).${name} = {${rule}: ${value}}];`,
    ]),
  ),
  ...Object.entries(otherRules),
]);
const rows = [...declarations].map(([rule, declaration], at) => ({ rule, declaration, at }));

const contract = compileContract(`syntax = "proto3";
package test.v1;
import "buf/validate/validate.proto";
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/timestamp.proto";
service Rules { ${rows.map(({ at }) => `rpc Row${at}(M${at}) returns (M${at});`).join("\n")} }
message One { string a = 1; }
message Two { string b = 1; }
enum Color { COLOR_UNSPECIFIED = 0; RED = 1; GREEN = 2; }
${rows.map(({ declaration, at }) => `message M${at} { ${declaration} }`).join("\n")}
`);

const maker = new AnswerMaker(contract, 1);
const validator = createValidator({ registry: contract.registry });

it("are all in the table", () => {
  const [typeRules] = FieldRulesSchema.oneofs;
  const ofValues = typeRules?.fields.flatMap(({ name, message }) =>
    message?.fields.map((rule) => `${name}.${rule.name}`),
  );
  const own = ["FieldRules", "MessageRules", "MessageOneofRule", "OneofRules"];
  const others = file_buf_validate_validate.messages
    .filter(({ name }) => own.includes(name))
    .flatMap(({ name, fields }) =>
      fields.filter(({ oneof }) => oneof === undefined).map((rule) => `${name}.${rule.name}`),
    );
  expect(new Set(declarations.keys())).toEqual(new Set([...(ofValues ?? []), ...others]));
});

it.each(rows)("$rule", ({ at }) => {
  const { input } = contract.operation(`test.v1.Rules.Row${at}`);
  for (let seed = 0; seed < 20; seed++) {
    const draw = (): Draw => new Draw([seed, 0, 0, 0]);
    const made = [maker.message(input, draw()), maker.request(input, draw())];
    const broken = made.filter((message) => validator.validate(input, message).kind !== "valid");
    expect(broken.map((message) => toJson(input, message, contract))).toEqual([]);
  }
});
