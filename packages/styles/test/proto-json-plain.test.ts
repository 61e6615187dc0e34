// Plain ProtoJSON is read without protobuf-es, and no caller can see a difference: neither in messages nor in errors.
import { isDeepStrictEqual } from "node:util";
import { isFieldSet, toBinary, toJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import { FieldDescriptorProtoSchema, FieldOptionsSchema, MethodOptionsSchema } from "@bufbuild/protobuf/wkt";
import { isObject, type Contract } from "@roundtrip/contract";
import { CustomerSchema, GetCustomerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contractOfFile } from "../../../bench/fuzz/arbitraries/made-up-contract.ts";
import { madeUpFile } from "../../../bench/fuzz/arbitraries/made-up-file.ts";
import { messageArbitrary, type MessageSource } from "../../../bench/fuzz/arbitraries/message.ts";
import { conformanceContract } from "../../conformance/src/index.ts";
import { ScalarsSchema, ValuesSchema } from "../../conformance/src/gen/roundtrip/conformance/v1/values_pb.ts";
import { accepted, refused } from "./support/spellings.ts";
import { jsonReader } from "../src/shared/proto-json/json-text.ts";
import { messageFromJson, strictFromJson, plainFromJson } from "../src/shared/proto-json/message-from-json.ts";

/** Values in the place of another, as JSON text. */
const odd = String.raw`
  null true 0 -0 1 -1 1.5 1e3 4294967295 4294967296 2147483648 -2147483649 16777217 3.5e38 9007199254740993
  9223372036854775808 18446744073709551616 1e308 1.00000000000000000001 "" "a" "0" "-0" "-1" "01" "1e1" "1.0" "NaN"
  "9223372036854775808" "-9223372036854775809" "AQ==" "AQ" "A" "\ud800" "\u00201" "a,b_c" "a,,bC" "1s" "-0s" "1.5"
  "2024-02-30T00:00:00Z" "0000-01-01T00:00:00Z" "2024-02-29T00:00:00.5+01:00"
  [] [null] [1] ["a"] {} {"a":1} {"__proto__":"a"} {"1":1,"01":2} {"@type":"a/b"}
`
  .trim()
  .split(/\s+/);
const names = ["__proto__", "constructor", "toString", "[a.b]", "nonsense", "", "value", "\ud800"];

type Owner = Record<string, unknown>;

/** Every object or array in the JSON with each of its keys. */
function placesIn(json: unknown, found: [Owner, string][] = []): [Owner, string][] {
  if (typeof json !== "object" || json === null) return found;
  for (const key of Object.keys(json)) {
    found.push([json as Owner, key]);
    placesIn((json as Owner)[key], found);
  }
  return found;
}

interface Mutation {
  readonly at: number;
  readonly value: string | undefined;
  readonly name: string | undefined;
  readonly keeps: boolean;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(),
  value: fc.option(fc.constantFrom(...odd), { nil: undefined }),
  name: fc.option(fc.constantFrom(...names), { nil: undefined, freq: 1 }),
  keeps: fc.boolean(),
});

/** The contract's name of a field, whose key in the JSON is another. */
function otherName(type: DescMessage, key: string): string | undefined {
  const seen = new Set<DescMessage>();
  const search = (message: DescMessage): string | undefined => {
    if (seen.has(message)) return undefined;
    seen.add(message);
    for (const field of message.fields) {
      if (field.jsonName === key && field.name !== key) return field.name;
      const inner = field.message === undefined ? undefined : search(field.message);
      if (inner !== undefined) return inner;
    }
    return undefined;
  };
  return search(type);
}

/** JSON text with a value replaced, a name replaced, or a field set by both of its names. */
function mutated(type: DescMessage, json: JsonValue, mutations: readonly Mutation[]): string {
  const around = { json: structuredClone(json) };
  const raw: string[] = [];
  for (const { at, value, name, keeps } of mutations) {
    const places = placesIn(around);
    const [owner, key] = places[at % places.length] as [Owner, string];
    if (value !== undefined) owner[key] = `@${raw.push(value) - 1}@`;
    else if (isObject(owner) && owner !== (around as Owner)) {
      const next = name ?? otherName(type, key) ?? key;
      const before = owner[key];
      if (!keeps) delete owner[key];
      Object.defineProperty(owner, next, { value: before, enumerable: true, configurable: true, writable: true });
    }
  }
  return JSON.stringify(around.json).replaceAll(/"@(\d+)@"/g, (_match, index: string) => raw[Number(index)] ?? "");
}

/** An error, or everything that callers can see of a message. */
function outcomeOf(type: DescMessage, read: () => Message): unknown {
  try {
    const message = read();
    const set = type.fields.map((field) => isFieldSet(message, field));
    return { message, keys: Object.keys(message), set, bytes: toBinary(type, message) };
  } catch (thrown) {
    return String(thrown);
  }
}

interface Text {
  readonly type: DescMessage;
  readonly text: string;
  readonly registry: MessageSource["registry"];
}

function isReadAlike({ type, text, registry }: Text): boolean {
  const parse = jsonReader(type);
  return [false, true].every((ignoreUnknownFields) => {
    const options = { registry, ignoreUnknownFields };
    const quick = outcomeOf(type, () => messageFromJson(type, options)(parse(text)));
    return isDeepStrictEqual(
      quick,
      outcomeOf(type, () => strictFromJson(type, options)(parse(text))),
    );
  });
}

/** The texts that are read differently from how protobuf-es reads them after the checks of spelling. */
function differences(texts: readonly Text[]): readonly string[] {
  return texts.filter((text) => !isReadAlike(text)).map(({ text }) => text);
}

function checkSame(text: Text): void {
  expect(differences([text])).toEqual([]);
}

function textsOf(types: readonly DescMessage[], registry: MessageSource["registry"]): fc.Arbitrary<Text> {
  const source: MessageSource = { registry, maxDepth: 3, valuesOf: () => undefined };
  return fc
    .constantFrom(...types)
    .chain((type) =>
      fc
        .tuple(messageArbitrary(type, source), fc.array(mutation, { maxLength: 2 }))
        .map(([message, mutations]) => ({ type, registry, text: mutatedOrEmpty(type, message, source, mutations) })),
    );
}

/** Messages without a spelling in JSON are left out. */
function mutatedOrEmpty(
  type: DescMessage,
  message: Message,
  { registry }: MessageSource,
  mutations: readonly Mutation[],
): string {
  try {
    return mutated(type, toJson(type, message, { registry }), mutations);
  } catch {
    return "{}";
  }
}

function typesOf({ operations }: Contract): readonly DescMessage[] {
  return [...new Set(operations.flatMap(({ input, output }) => [input, output]))];
}

describe("plain, odd and invalid JSON gives the same message or error as protobuf-es after the checks of spelling", () => {
  test("of random contracts", () => {
    const texts = madeUpFile
      .map((file) => contractOfFile(file))
      .chain((contract) => textsOf(typesOf(contract), contract.registry));
    fc.assert(fc.property(texts, checkSame), { numRuns: 200 });
  });

  test("of the contract of the conformance cases", () => {
    const contract = conformanceContract();
    fc.assert(fc.property(textsOf([...typesOf(contract), ValuesSchema], contract.registry), checkSame), {
      numRuns: 400,
    });
  });

  test("of types of proto2, with defaults and extensions", () => {
    const types = [FieldDescriptorProtoSchema, FieldOptionsSchema, MethodOptionsSchema];
    fc.assert(fc.property(textsOf(types, conformanceContract().registry), checkSame), { numRuns: 100 });
  });

  const { registry } = conformanceContract();
  const valuesOf = (text: string): Text => ({ type: ValuesSchema, text, registry });

  test("of every spelling that a reader accepts or refuses", () => {
    const texts = [
      ...accepted.map(([[, json], spelling]) => json(spelling)),
      ...refused.flatMap(([[, json], ...spellings]) => spellings.map((spelling) => json(spelling))),
    ];
    expect(differences(texts.map(valuesOf))).toEqual([]);
  });

  test("of every odd value in each scalar field", () => {
    const texts = ScalarsSchema.fields.flatMap(({ jsonName }) => odd.map((value) => `{"${jsonName}":${value}}`));
    expect(differences(texts.map((text) => ({ type: ScalarsSchema, text, registry })))).toEqual([]);
  });

  test.for([
    '{"maps":{"textByText":{"__proto__":"a"}}}',
    String.raw`{"maps":{"textByText":{"\ud800":"a"}}}`,
    '{"maps":{"largeNumberByNumber":{"1":"1","01":"1"}}}',
    '{"choice":{"text":"a","flag":true}}',
    '{"scalars":{"int32Value":-0,"uint32Value":-0,"doubleValue":-0}}',
    '{"wellKnown":{"time":"0000-01-01T00:00:00Z"}}',
    '{"wellKnown":{"duration":"-0.0s"}}',
    '{"wellKnown":{"mask":""}}',
    '{"wellKnown":{"mask":"a,,b.cD,E,"}}',
  ])("of %s", (text) => {
    expect(differences([valuesOf(text)])).toEqual([]);
  });

  test("of messages deeper than any", () => {
    const texts = [45, 60, 98, 99, 100, 101, 5000].map(
      (depth) => `{"tree":${'{"only":'.repeat(depth)}{}${"}".repeat(depth)}}`,
    );
    expect(differences(texts.map(valuesOf))).toEqual([]);
  });
});

test.for<readonly [name: string, type: DescMessage, json: JsonValue]>([
  ["a mask of fields", GetCustomerRequestSchema, { id: 1, readMask: "id,name,vatIdentificationNumber" }],
  ["text and numbers", CustomerSchema, { id: 1, name: "a", address: "b" }],
  [
    "every scalar",
    ValuesSchema,
    { scalars: { doubleValue: 1.5, int64Value: "-1", uint64Value: "1", bytesValue: "AQ==", colour: "COLOUR_RED" } },
  ],
  ["presence", ValuesSchema, { presence: { number: 0, flag: false, text: "" } }],
  [
    "lists and maps",
    ValuesSchema,
    { lists: { numbers: [1, 2], trees: [{ label: "a" }] }, maps: { textByText: { a: "b" } } },
  ],
  ["times", ValuesSchema, { wellKnown: { time: "2024-02-29T00:00:00Z", duration: "1.5s", empty: {} } }],
  ["one of several", ValuesSchema, { choice: { text: "a" } }],
])("%s are read without protobuf-es", ([, type, json]) => {
  const message = plainFromJson(type)?.(json);
  expect(message).toStrictEqual(strictFromJson(type, {})(structuredClone(json)));
});
