// Strict ProtoJSON, as REST and GraphQL read it.
import { createRegistry, getExtension, type JsonValue } from "@bufbuild/protobuf";
import {
  FieldOptionsSchema,
  type FieldOptions,
  file_google_protobuf_duration,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
} from "@bufbuild/protobuf/wkt";
import { field, file_buf_validate_validate } from "@roundtrip/contract/gen/buf/validate/validate_pb";
import {
  file_roundtrip_conformance_v1_values,
  ValuesSchema,
  type Values,
} from "../../conformance/src/gen/roundtrip/conformance/v1/values_pb.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageFromJson } from "../src/shared/proto-json/message-from-json.ts";
import { integerIn, jsonReader } from "../src/shared/proto-json/json-text.ts";
import { accepted, refused } from "./support/spellings.ts";

const registry = createRegistry(
  file_roundtrip_conformance_v1_values,
  file_google_protobuf_duration,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
);
const parse = jsonReader(ValuesSchema);
const fromJson = messageFromJson(ValuesSchema, { registry }) as (json: JsonValue) => Values;

function read(text: string): Values {
  return fromJson(parse(text));
}

describe("valid ProtoJSON is accepted", () => {
  test.for(accepted.map(([[name, json, held], spelling, expected]) => ({ name, json, held, spelling, expected })))(
    "$name $spelling",
    ({ json, held, spelling, expected }) => {
      expect(held(read(json(spelling)))).toEqual(expected);
    },
  );
});

describe("invalid ProtoJSON is refused", () => {
  const all = refused.flatMap(([[name, json], ...spellings]) =>
    spellings.map((spelling) => ({ name, json, spelling })),
  );
  test.for(all)("$name $spelling", ({ json, spelling }) => {
    expect(() => read(json(spelling))).toThrow(Error);
  });
});

test.for([
  ["items that are null", '{"lists":{"numbers":[1,null]}}'],
  ["messages that are null in a list", '{"lists":{"trees":[{},null]}}'],
  ["one value for a list", '{"lists":{"numbers":1}}'],
  ["an item of another type", '{"lists":{"largeNumbers":[1,"0x10"]}}'],
  ["both names of one field", '{"scalars":{"int32_value":1,"int32Value":1}}'],
  ["two of a oneof", '{"choice":{"text":"a","flag":true}}'],
  ["a field that there is not", '{"nonsense":1}'],
  ["a message that is null as a whole", "null"],
  ["a value in a map of times", '{"maps":{"durationByText":{"a":"1"}}}'],
  ["a message deeper than any", `{"wellKnown":{"struct":${'{"a":'.repeat(200)}1${"}".repeat(200)}}}`],
  ["a list deeper than the stack", `{"wellKnown":{"value":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`],
] as const)("%s are refused", ([, json]) => {
  expect(() => read(json)).toThrow(Error);
});

test("null means unset, in a field and in a oneof", () => {
  const nulls = '{"scalars":{"int32Value":null,"int64Value":null,"bytesValue":null,"doubleValue":null},"lists":null}';
  expect(read(nulls).scalars).toMatchObject({ int32Value: 0, int64Value: 0n });
  expect(read('{"wellKnown":{"time":null,"any":null,"mask":null}}').wellKnown?.time).toBeUndefined();
  expect(read('{"choice":{"largeNumber":null,"text":"a"}}').choice?.kind).toEqual({ case: "text", value: "a" });
  expect(read('{"wellKnown":{"value":null}}').wellKnown?.value?.kind).toEqual({ case: "nullValue", value: 0 });
});

/** The same integer in several spellings of JSON. */
function spellingsOf(value: bigint): readonly string[] {
  if (value === 0n) return ["0", "-0", "0.00", "0e5"];
  const plain = String(value);
  const zeros = /0*$/.exec(plain)?.[0].length ?? 0;
  const [, sign = "", first = "", rest = ""] = /^(-?)(\d)(\d*)$/.exec(plain) ?? [];
  return [
    plain,
    `${plain}.000`,
    `${plain}0e-1`,
    `${plain.slice(0, plain.length - zeros)}E+${zeros}`,
    `${sign}${first}.${rest}0e${rest.length}`,
  ];
}

test("an integer is the same in every spelling", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      for (const spelling of spellingsOf(value)) {
        expect(integerIn(spelling)).toBe(String(value));
        expect(read(`{"scalars":{"int64Value":${spelling}}}`).scalars?.int64Value).toBe(value);
        expect(read(`{"scalars":{"int64Value":"${spelling}"}}`).scalars?.int64Value).toBe(value);
      }
    }),
  );
});

/** Both sides of what a float holds exactly, and both zeros. */
const integer = fc.oneof(fc.integer(), fc.integer({ min: 2 ** 24 - 2, max: 2 ** 24 + 2 }), fc.constantFrom(0, -0));

test("each field reads integers by its own type, in types of few and many fields", () => {
  fc.assert(
    fc.property(integer, (value) => {
      const text = Object.is(value, -0) ? "-0" : String(value);
      const few = read(`{"presence":{"number":${text},"largeNumber":${text}}}`).presence;
      expect(few).toMatchObject({ number: value + 0, largeNumber: BigInt(value) });
      const many = read(`{"scalars":{"int32_value":${text},"floatValue":${text},"doubleValue":${text}}}`).scalars;
      expect(many).toMatchObject({ int32Value: value + 0, floatValue: Math.fround(value), doubleValue: value });
    }),
    { numRuns: 500 },
  );
});

test("extensions are checked too", () => {
  const options = messageFromJson(FieldOptionsSchema, { registry: createRegistry(file_buf_validate_validate) });
  const rule = (text: string) => options({ "[buf.validate.field]": { int32: { gt: text } } }) as FieldOptions;
  expect(getExtension(rule("1e1"), field).type).toMatchObject({ value: { greaterThan: { case: "gt", value: 10 } } });
  expect(() => rule("0x10")).toThrow("expected an integer");
});
