// Every rule of buf.validate: a request that follows it is accepted, one that breaks it is INVALID_ARGUMENT, and made-up messages follow it.
import { fromJson, toJson, type JsonValue } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { requestRules } from "@roundtrip/contract/service";
import { FieldRulesSchema, file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { expect, it } from "vitest";
import { AnswerMaker } from "../../src/answers/answer-maker.ts";
import { Draw } from "../../src/answers/draw.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

/** A message's declaration with the rule, a value of it that follows the rule, and one that breaks it; none for a rule that demands nothing. */
interface Row {
  readonly rule: string;
  readonly declaration: string;
  readonly good: JsonValue;
  readonly bad?: JsonValue;
}

function fieldRow(rule: string, type: string, option: string, good: JsonValue, bad?: JsonValue): Row {
  const row = { rule, declaration: `${type} f = 1 [(buf.validate.field).${option}];`, good: { f: good } };
  return bad === undefined ? row : { ...row, bad: { f: bad } };
}

const numbers = ["float", "double", "int32", "int64", "uint32", "uint64", "sint32", "sint64"].concat([
  "fixed32",
  "fixed64",
  "sfixed32",
  "sfixed64",
]);

const titles: Readonly<Record<string, string>> = { uint32: "UInt32", uint64: "UInt64", sint32: "SInt32" };
const moreTitles: Readonly<Record<string, string>> = { sint64: "SInt64", sfixed32: "SFixed32", sfixed64: "SFixed64" };

function rulesOf(type: string): string {
  return `${titles[type] ?? moreTitles[type] ?? type[0]?.toUpperCase() + type.slice(1)}Rules`;
}

const numberRows = numbers.flatMap((type) => {
  const row = (name: string, value: string, good: JsonValue, bad?: JsonValue): Row =>
    fieldRow(`${rulesOf(type)}.${name}`, type, `${type} = {${name}: ${value}}`, good, bad);
  return [
    row("const", "5", 5, 6),
    row("lt", "5", 4, 5),
    row("lte", "5", 5, 6),
    row("gt", "5", 6, 5),
    row("gte", "5", 5, 4),
    row("in", "[5, 6]", 6, 7),
    row("not_in", "[5]", 6, 5),
    row("example", "[5]", 6),
    ...(type === "float" || type === "double" ? [row("finite", "true", 1, "Infinity")] : []),
  ];
});

const text = (name: string, value: string, good: string, bad?: string): Row =>
  fieldRow(`StringRules.${name}`, "string", `string = {${name}: ${value}}`, good, bad);

const textRows = [
  text("const", '"a"', "a", "b"),
  text("len", "2", "éé", "é"),
  text("min_len", "2", "ab", "a"),
  text("max_len", "2", "ab", "abc"),
  text("len_bytes", "2", "é", "éé"),
  text("min_bytes", "2", "é", "e"),
  text("max_bytes", "2", "é", "éé"),
  text("pattern", '"^x+$"', "xx", "y"),
  text("prefix", '"a"', "ab", "ba"),
  text("suffix", '"a"', "ba", "ab"),
  text("contains", '"a"', "bab", "b"),
  text("not_contains", '"a"', "b", "bab"),
  text("in", '["a", "b"]', "b", "c"),
  text("not_in", '["a"]', "b", "a"),
  text("email", "true", "ada@example.com", "ada"),
  text("hostname", "true", "example.com", "-"),
  text("ip", "true", "::1", "1.2.3"),
  text("ipv4", "true", "1.2.3.4", "::1"),
  text("ipv6", "true", "::1", "1.2.3.4"),
  text("uri", "true", "https://example.com/a", "a b"),
  text("uri_ref", "true", "./a", "a b"),
  text("address", "true", "1.2.3.4", "-"),
  text("uuid", "true", "2f1ad0e4-6c4b-4d26-9e5a-7d2f3a1b0c9d", "2f1ad0e4"),
  text("tuuid", "true", "2f1ad0e46c4b4d269e5a7d2f3a1b0c9d", "2f1ad0e4"),
  text("ip_with_prefixlen", "true", "1.2.3.4/24", "1.2.3.4"),
  text("ipv4_with_prefixlen", "true", "1.2.3.4/24", "::1/64"),
  text("ipv6_with_prefixlen", "true", "::1/64", "1.2.3.4/24"),
  text("ip_prefix", "true", "1.2.3.0/24", "1.2.3.4/24"),
  text("ipv4_prefix", "true", "1.2.3.0/24", "1.2.3.4/24"),
  text("ipv6_prefix", "true", "2001:db8::/32", "1.2.3.0/24"),
  text("host_and_port", "true", "example.com:80", "example.com"),
  text("ulid", "true", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3"),
  text("protobuf_fqn", "true", "a.B", ".a.B"),
  text("protobuf_dot_fqn", "true", ".a.B", "a.B"),
  text("well_known_regex", "KNOWN_REGEX_HTTP_HEADER_NAME", "x-a", "x a"),
  text("strict", "false, well_known_regex: KNOWN_REGEX_HTTP_HEADER_VALUE", "a b", "a\nb"),
  text("example", '["a"]', "b"),
];

const base64 = (value: string | readonly number[]): string => Buffer.from(value as string).toString("base64");
const bytes = (name: string, value: string, good: string, bad?: string | readonly number[]): Row =>
  fieldRow(
    `BytesRules.${name}`,
    "bytes",
    `bytes = {${name}: ${value}}`,
    base64(good),
    bad === undefined ? undefined : base64(bad),
  );

const bytesRows = [
  bytes("const", '"a"', "a", "b"),
  bytes("len", "2", "ab", "a"),
  bytes("min_len", "2", "ab", "a"),
  bytes("max_len", "2", "ab", "abc"),
  bytes("pattern", '"^x+$"', "xx", "y"),
  bytes("prefix", '"a"', "ab", "ba"),
  bytes("suffix", '"a"', "ba", "ab"),
  bytes("contains", '"a"', "bab", "b"),
  bytes("in", '["a", "b"]', "b", "c"),
  bytes("not_in", '["a"]', "b", "a"),
  bytes("ip", "true", "abcd", "abc"),
  bytes("ipv4", "true", "abcd", "0123456789abcdef"),
  bytes("ipv6", "true", "0123456789abcdef", "abcd"),
  bytes("uuid", "true", "0123456789abcdef", "abcd"),
  bytes("example", '["a"]', "b"),
];

const timestamp = "google.protobuf.Timestamp";
const duration = "google.protobuf.Duration";
const time = (name: string, value: string, good: string, bad?: string): Row =>
  fieldRow(`TimestampRules.${name}`, timestamp, `timestamp = {${name}: ${value}}`, good, bad);
const span = (name: string, value: string, good: string, bad?: string): Row =>
  fieldRow(`DurationRules.${name}`, duration, `duration = {${name}: ${value}}`, good, bad);
const now = new Date().toISOString();

const messageRows = [
  time("const", "{seconds: 5}", "1970-01-01T00:00:05Z", "1970-01-01T00:00:06Z"),
  time("lt", "{seconds: 5}", "1970-01-01T00:00:04Z", "1970-01-01T00:00:05Z"),
  time("lte", "{seconds: 5}", "1970-01-01T00:00:05Z", "1970-01-01T00:00:06Z"),
  time("gt", "{seconds: 5}", "1970-01-01T00:00:06Z", "1970-01-01T00:00:05Z"),
  time("gte", "{seconds: 5}", "1970-01-01T00:00:05Z", "1970-01-01T00:00:04Z"),
  time("lt_now", "true", "1970-01-01T00:00:00Z", "9000-01-01T00:00:00Z"),
  time("gt_now", "true", "9000-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
  time("within", "{seconds: 360000}", now, "1970-01-01T00:00:00Z"),
  time("example", "[{seconds: 5}]", "1970-01-01T00:00:00Z"),
  span("const", "{seconds: 5}", "5s", "6s"),
  span("lt", "{seconds: 5}", "4s", "5s"),
  span("lte", "{seconds: 5}", "5s", "6s"),
  span("gt", "{seconds: 5}", "6s", "5s"),
  span("gte", "{seconds: 5}", "5s", "4s"),
  span("in", "[{seconds: 5}]", "5s", "6s"),
  span("not_in", "[{seconds: 5}]", "6s", "5s"),
  span("example", "[{seconds: 5}]", "6s"),
  fieldRow("FieldMaskRules.const", "google.protobuf.FieldMask", 'field_mask.const = {paths: ["a"]}', "a", "b"),
  fieldRow("FieldMaskRules.in", "google.protobuf.FieldMask", 'field_mask = {in: ["a"]}', "a", "b"),
  fieldRow("FieldMaskRules.not_in", "google.protobuf.FieldMask", 'field_mask = {not_in: ["a"]}', "b", "a"),
  fieldRow("FieldMaskRules.example", "google.protobuf.FieldMask", 'field_mask = {example: [{paths: ["a"]}]}', "b"),
  fieldRow(
    "AnyRules.in",
    "google.protobuf.Any",
    'any = {in: ["type.googleapis.com/test.v1.One"]}',
    { "@type": "type.googleapis.com/test.v1.One" },
    { "@type": "type.googleapis.com/test.v1.Two" },
  ),
  fieldRow(
    "AnyRules.not_in",
    "google.protobuf.Any",
    'any = {not_in: ["type.googleapis.com/test.v1.One"]}',
    { "@type": "type.googleapis.com/test.v1.Two" },
    { "@type": "type.googleapis.com/test.v1.One" },
  ),
];

const isEven = 'id: "even", message: "is odd", expression: "this % 2 == 0"';
const isOrdered = 'id: "order", message: "falls", expression: "this.f <= this.g"';

const rows: readonly Row[] = [
  ...numberRows,
  ...textRows,
  ...bytesRows,
  ...messageRows,
  fieldRow("BoolRules.const", "bool", "bool.const = true", true, false),
  fieldRow("BoolRules.example", "bool", "bool = {example: [true]}", false),
  fieldRow("EnumRules.const", "Color", "enum.const = 1", "RED", "GREEN"),
  fieldRow("EnumRules.defined_only", "Color", "enum.defined_only = true", "RED", 7),
  fieldRow("EnumRules.in", "Color", "enum = {in: [1]}", "RED", "GREEN"),
  fieldRow("EnumRules.not_in", "Color", "enum = {not_in: [1]}", "GREEN", "RED"),
  fieldRow("EnumRules.example", "Color", "enum = {example: [1]}", "GREEN"),
  fieldRow("RepeatedRules.min_items", "repeated int32", "repeated.min_items = 2", [1, 2], [1]),
  fieldRow("RepeatedRules.max_items", "repeated int32", "repeated.max_items = 1", [1], [1, 2]),
  fieldRow("RepeatedRules.unique", "repeated int32", "repeated.unique = true", [1, 2], [1, 1]),
  fieldRow("RepeatedRules.items", "repeated int32", "repeated.items.int32.gt = 5", [6, 7], [6, 5]),
  fieldRow("MapRules.min_pairs", "map<string, int32>", "map.min_pairs = 2", { a: 1, b: 1 }, { a: 1 }),
  fieldRow("MapRules.max_pairs", "map<string, int32>", "map.max_pairs = 1", { a: 1 }, { a: 1, b: 1 }),
  fieldRow("MapRules.keys", "map<string, int32>", "map.keys.string.len = 1", { a: 1 }, { ab: 1 }),
  fieldRow("MapRules.values", "map<string, int32>", "map.values.int32.gt = 5", { a: 6 }, { a: 5 }),
  fieldRow("FieldRules.cel", "int32", `cel = {${isEven}}`, 2, 3),
  fieldRow("FieldRules.cel_expression", "int32", 'cel_expression = "this % 2 == 0"', 2, 3),
  fieldRow("FieldRules.required", "int32", "required = true", 1, 0),
  {
    rule: "FieldRules.ignore",
    declaration: "string f = 1 [(buf.validate.field) = {ignore: IGNORE_IF_ZERO_VALUE, string: {min_len: 2}}];",
    good: {},
    bad: { f: "a" },
  },
  {
    rule: "MessageRules.cel",
    declaration: `option (buf.validate.message).cel = {${isOrdered}}; int32 f = 1; int32 g = 2;`,
    good: { f: 1, g: 2 },
    bad: { f: 2, g: 1 },
  },
  {
    rule: "MessageRules.cel_expression",
    declaration: 'option (buf.validate.message).cel_expression = "this.f <= this.g"; int32 f = 1; int32 g = 2;',
    good: { f: 1, g: 2 },
    bad: { f: 2, g: 1 },
  },
  {
    rule: "MessageRules.oneof",
    declaration: 'option (buf.validate.message).oneof = {fields: ["f", "g"]}; string f = 1; string g = 2;',
    good: { g: "a" },
    bad: { f: "a", g: "a" },
  },
  {
    rule: "MessageOneofRule.fields",
    declaration:
      'option (buf.validate.message).oneof = {fields: ["f", "h"]}; string f = 1; string g = 2; string h = 3;',
    good: { f: "a", g: "a" },
    bad: { f: "a", h: "a" },
  },
  {
    rule: "MessageOneofRule.required",
    declaration: 'option (buf.validate.message).oneof = {fields: ["f"], required: true}; string f = 1; string g = 2;',
    good: { f: "a" },
    bad: { g: "a" },
  },
  {
    rule: "OneofRules.required",
    declaration: "oneof kind { option (buf.validate.oneof).required = true; string f = 1; } string g = 2;",
    good: { f: "" },
    bad: { g: "a" },
  },
];

const contract = compileContract(`syntax = "proto3";
package test.v1;
import "buf/validate/validate.proto";
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/timestamp.proto";
service Rules { ${rows.map((_, at) => `rpc Row${at}(M${at}) returns (M${at});`).join("\n")} }
message One { string a = 1; }
message Two { string b = 1; }
enum Color { COLOR_UNSPECIFIED = 0; RED = 1; GREEN = 2; }
${rows.map(({ declaration }, at) => `message M${at} { ${declaration} }`).join("\n")}
`);

const maker = new AnswerMaker(contract, 1);

/** The code of the refusal; "OK" for an accepted request. */
function verdict(at: number, request: JsonValue): string {
  const { input } = contract.operation(`test.v1.Rules.Row${at}`);
  try {
    requestRules(contract)(input, fromJson(input, request, { registry: contract.registry }));
    return "OK";
  } catch (thrown) {
    return thrown instanceof CallError ? thrown.code : String(thrown);
  }
}

it("are all in the table", () => {
  const typeRules = FieldRulesSchema.oneofs.flatMap(({ fields }) => fields.map(({ message }) => message));
  const own = ["FieldRules", "MessageRules", "MessageOneofRule", "OneofRules"];
  const others = file_buf_validate_validate.messages.filter(({ name }) => own.includes(name));
  const all = [...typeRules, ...others].flatMap((type) =>
    (type?.fields ?? [])
      .filter(({ oneof }) => oneof === undefined || type?.name !== "FieldRules")
      .map(({ name }) => `${type?.name}.${name}`),
  );
  expect(rows.map(({ rule }) => rule).toSorted()).toEqual(all.toSorted());
});

it.each(rows.map((row, at) => ({ ...row, at })))("$rule", ({ at, good, bad }) => {
  expect([verdict(at, good), bad === undefined ? undefined : verdict(at, bad)]).toEqual([
    "OK",
    bad === undefined ? undefined : "INVALID_ARGUMENT",
  ]);
  const { input } = contract.operation(`test.v1.Rules.Row${at}`);
  for (let seed = 0; seed < 20; seed++) {
    const draw = (): Draw => new Draw([seed, 0, 0, 0]);
    const made = [maker.message(input, draw()), maker.request(input, draw())];
    const broken = made.filter((message) => !maker.isValid(input, message));
    expect(broken.map((message) => toJson(input, message, contract))).toEqual([]);
  }
});
