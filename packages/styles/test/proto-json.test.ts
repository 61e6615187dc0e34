// ProtoJSON, read strictly and written exactly: the spellings of its values, and the messages of protobuf-es.
import { isDeepStrictEqual } from "node:util";
import {
  create,
  createRegistry,
  fromJson,
  getExtension,
  toBinary,
  toJson,
  type DescMessage,
  type JsonValue,
  type Message,
} from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import {
  anyPack,
  AnySchema,
  BytesValueSchema,
  FieldDescriptorProtoSchema,
  FieldMaskSchema,
  type FieldOptions,
  FieldOptionsSchema,
  MethodOptionsSchema,
  StructSchema,
} from "@bufbuild/protobuf/wkt";
import { type Contract, isObject } from "@roundtrip/contract";
import { field as rulesOption, file_buf_validate_validate } from "@roundtrip/contract/gen/buf/validate/validate_pb";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomCases } from "../../../.ci/seed-properties.ts";
import { contractOfFile } from "../../../bench/fuzz/arbitraries/made-up-contract.ts";
import { madeUpFile } from "../../../bench/fuzz/arbitraries/made-up-file.ts";
import { messageArbitrary, type MessageSource } from "../../../bench/fuzz/arbitraries/message.ts";
import { conformanceContract } from "../../conformance/src/index.ts";
import {
  ScalarsSchema,
  ValuesSchema,
  type Values,
} from "../../conformance/src/gen/roundtrip/conformance/v1/values_pb.ts";
import { accepted, refused } from "./support/spellings.ts";
import { integerIn, jsonReader, bytesOfText, textOfBytes } from "../src/shared/proto-json/scalars.ts";
import { badJson } from "../src/shared/proto-json/json-errors.ts";
import { messageFromJson } from "../src/shared/proto-json/message-from-json.ts";
import { messageToJson } from "../src/shared/proto-json/message-to-json.ts";

const { registry } = conformanceContract();
const parse = jsonReader(ValuesSchema);
const fromParsed = messageFromJson(ValuesSchema, { registry }) as (json: JsonValue) => Values;

function read(text: string): Values {
  return fromParsed(parse(text));
}

describe("valid ProtoJSON is accepted", () => {
  const all = accepted.flatMap(([[name, json, held], ...spellings]) =>
    spellings.map(([spelling, expected]) => ({ name, json, held, spelling, expected })),
  );
  test.for(all)("$name $spelling", ({ json, held, spelling, expected }) => {
    expect(held(read(json(spelling)))).toEqual(expected);
  });
});

describe("invalid ProtoJSON is refused", () => {
  const all = refused.flatMap(([[name, json], ...spellings]) =>
    spellings.map((spelling) => ({ name, json, spelling })),
  );
  test.for(all)("$name $spelling", ({ json, spelling }) => {
    expect(() => read(json(spelling))).toThrow(Error);
  });
});

describe("an error names the place and the reason", () => {
  test.for([
    ['{"lists":{"numbers":[1,null]}}', "lists.numbers[1]", "null in a list or map"],
    ['{"lists":{"trees":[{},{"branches":[{"label":1}]}]}}', "lists.trees[1].branches[0].label", "expected text"],
    ['{"lists":{"numbers":1}}', "lists.numbers", "expected a list, got 1"],
    ['{"lists":{"largeNumbers":[1,"0x10"]}}', "lists.largeNumbers[1]", 'expected an integer of 64 bits, got "0x10"'],
    ['{"scalars":{"int32_value":1,"int32Value":1}}', "scalars.int32Value", "given by both of its names"],
    ['{"scalars":{"int32_value":"a"}}', "scalars.int32Value", "expected an integer of 32 bits"],
    ['{"choice":{"text":"a","flag":true}}', "choice.flag", "text of the same oneof is given too"],
    ['{"nonsense":1}', "nonsense", "there is no such field (advice)"],
    ['{"lists":{"trees":[{"nonsense":{}}]}}', "lists.trees[0].nonsense", "there is no such field (advice)"],
    ['{"maps":{"durationByText":{"a":"1"}}}', 'maps.durationByText["a"]', 'expected seconds, as 1.5s, got "1"'],
    ['{"maps":{"largeNumberByNumber":{"1":"1","01":"1"}}}', 'maps.largeNumberByNumber["01"]', "expected a key"],
    ['{"wellKnown":{"any":{"@type":"a/b.C"}}}', "wellKnown.any", "a/b.C is not a type of the contract"],
    [
      '{"wellKnown":{"any":{"@type":"a/roundtrip.conformance.v1.Scalars","int32Value":"a"}}}',
      "wellKnown.any.int32Value",
      "expected an integer of 32 bits",
    ],
    ["null", undefined, "expected an object, got null"],
    [`{"wellKnown":{"struct":${'{"a":'.repeat(200)}1${"}".repeat(200)}}}`, undefined, "more than 100 messages"],
    [`{"wellKnown":{"value":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`, undefined, "more than 100 messages"],
  ] as const)("%s: %s", ([json, field, reason]) => {
    let thrown: unknown;
    try {
      read(json);
    } catch (error) {
      thrown = error;
    }
    const { message, details } = badJson(thrown, "advice");
    expect(message).toContain(reason);
    expect(details.violations?.[0]?.field).toBe(field);
  });
});

test("null means unset, in a field and in a oneof", () => {
  const nulls = '{"scalars":{"int32Value":null,"int64Value":null,"bytesValue":null,"doubleValue":null},"lists":null}';
  expect(read(nulls).scalars).toMatchObject({ int32Value: 0, int64Value: 0n });
  expect(read('{"wellKnown":{"time":null,"any":null,"mask":null}}').wellKnown?.time).toBeUndefined();
  expect(read('{"choice":{"largeNumber":null,"text":"a"}}').choice?.kind).toEqual({ case: "text", value: "a" });
  expect(read('{"wellKnown":{"value":null}}').wellKnown?.value?.kind).toEqual({ case: "nullValue", value: 0 });
});

// Numbers.

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

test("a double is written and read exactly, −0 too, as a field and in any JSON", () => {
  const write = messageToJson(ValuesSchema, { registry });
  fc.assert(
    fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (number) => {
      const struct = { a: [number] };
      const text = JSON.stringify(
        write(create(ValuesSchema, { scalars: { doubleValue: number }, wellKnown: { struct } })),
      );
      const { scalars, wellKnown } = read(text);
      expect([scalars?.doubleValue ?? 0, wellKnown?.struct]).toStrictEqual([number, struct]);
    }),
  );
});

/** The float with these bits. */
function floatOf(bits: number): number {
  return new Float32Array(Uint32Array.of(bits).buffer)[0] ?? Number.NaN;
}

test("a float is written as the shortest text that is read as it", () => {
  const write = messageToJson(ValuesSchema, { registry });
  const textOf = (floatValue: number): string =>
    JSON.stringify(write(create(ValuesSchema, { scalars: { floatValue } }))).slice(
      '{"scalars":{"floatValue":'.length,
      -2,
    );
  const short = ["2.9", "0.1", "-0.3333333", "3.4028235e+38", "1e-45", "1.1754944e-38", "16777216", "33554432", "-0"];
  expect(short.map((text) => textOf(Math.fround(Number(text))))).toEqual(short);
  // What a handler sets needs no rounding before.
  expect([2.9, 0.1 + 0.2].map((value) => textOf(value))).toEqual(["2.9", "0.3"]);
  const powers = Array.from({ length: 2 ** 8 - 1 }, (_, exponent) => exponent * 2 ** 23);
  fc.assert(
    fc.property(fc.oneof(fc.nat(2 ** 32 - 1), fc.constantFrom(...powers)), (bits) => {
      const float = floatOf(bits);
      fc.pre(Number.isFinite(float) && float !== 0);
      const text = textOf(float);
      expect(text.length).toBeLessThanOrEqual(String(float).length);
      expect(read(`{"scalars":{"floatValue":${text}}}`).scalars?.floatValue).toBe(float);
    }),
    { numRuns: randomCases(2_000) },
  );
});

test("each field reads integers by its own type", () => {
  // Both sides of what a float can represent, and both zeros.
  const integer = fc.oneof(fc.integer(), fc.integer({ min: 2 ** 24 - 2, max: 2 ** 24 + 2 }), fc.constantFrom(0, -0));
  fc.assert(
    fc.property(integer, (value) => {
      const text = Object.is(value, -0) ? "-0" : String(value);
      const { scalars } = read(`{"scalars":{"int32_value":${text},"floatValue":${text},"doubleValue":${text}}}`);
      expect(scalars).toMatchObject({ int32Value: value + 0, floatValue: Math.fround(value), doubleValue: value });
    }),
  );
});

// Bytes.

/** By the letters, one after the other. */
function isBase64(text: string): boolean {
  if (!/^[\w+/-]*={0,2}$/.test(text)) return false;
  return text.endsWith("=") ? text.length % 4 === 0 : text.length % 4 !== 1;
}

describe("base64", () => {
  const bytes = fc.uint8Array({ maxLength: 300 });

  test("is protobuf-es', in either alphabet, padded or not, also of a view into more bytes", () => {
    fc.assert(
      fc.property(bytes, fc.nat({ max: 8 }), fc.constantFrom("std", "std_raw", "url"), (all, from, alphabet) => {
        const view = all.subarray(from);
        expect(textOfBytes(view)).toBe(base64Encode(view));
        const text = base64Encode(all, alphabet);
        expect(bytesOfText(text)).toStrictEqual(base64Decode(text));
      }),
    );
  });

  test.each([1, 100, 5_000, 100_000])("%i decoded bytes have their own memory", (length) => {
    expect(bytesOfText(textOfBytes(new Uint8Array(length)))?.buffer.byteLength).toBe(length);
  });

  const letter = fc.constantFrom(...Array.from("ABYZabyz01289+/-_"));
  // Ł, Ɂ and ％ are letters of base64 to whoever looks at half of them only.
  const noLetter = fc.constantFrom(...Array.from(" =\n\t.,\0!@ÁŁɁ％\uD800"));
  const nearlyBase64 = fc.string({
    unit: fc.oneof({ weight: 19, arbitrary: letter }, { weight: 1, arbitrary: noLetter }),
  });

  test("is refused with other letters or padding", () => {
    fc.assert(
      fc.property(nearlyBase64, fc.constantFrom("", "", "=", "=="), (start, padding) => {
        const text = start + padding;
        expect({ text, isRead: bytesOfText(text) !== undefined }).toEqual({ text, isRead: isBase64(text) });
      }),
      { numRuns: randomCases(2_000) },
    );
  });
});

// Types with a JSON of their own.

test("extensions are read strictly and written", () => {
  const options = { registry: createRegistry(file_buf_validate_validate) };
  const rule = (text: string) =>
    messageFromJson(FieldOptionsSchema, options)({ "[buf.validate.field]": { int32: { gt: text } } }) as FieldOptions;
  const ten = rule("1e1");
  expect(getExtension(ten, rulesOption).type).toMatchObject({ value: { greaterThan: { case: "gt", value: 10 } } });
  expect(messageToJson(FieldOptionsSchema, options)(ten)).toEqual({ "[buf.validate.field]": { int32: { gt: 10 } } });
  expect(() => rule("0x10")).toThrow("[buf.validate.field].int32.gt: expected an integer");
});

const many = Uint8Array.from({ length: 1_000 }, (_, index) => index * 7);
const base64 = Buffer.from(many).toString("base64");
const inAny = anyPack(BytesValueSchema, create(BytesValueSchema, { value: many }));

test.for<readonly [name: string, type: DescMessage, message: Message, json: JsonValue]>([
  ["a wrapper", BytesValueSchema, create(BytesValueSchema, { value: many }), base64],
  [
    "a wrapper in an Any",
    AnySchema,
    inAny,
    { value: base64, "@type": "type.googleapis.com/google.protobuf.BytesValue" },
  ],
  ["an Any without type and bytes", AnySchema, create(AnySchema), {}],
  ["a mask", FieldMaskSchema, create(FieldMaskSchema, { paths: ["a_b", "c"] }), "aB,c"],
  ["an empty mask", FieldMaskSchema, create(FieldMaskSchema), ""],
])("%s", ([, type, message, json]) => {
  expect(messageToJson(type, { registry })(message)).toEqual(json);
  expect(messageFromJson(type, { registry })(json)).toStrictEqual(message);
});

test.for<readonly [type: DescMessage, message: Message, reason: string]>([
  ...[["a,b"], [""], ["a", ""], ["a", "b,"]].map(
    (paths) => [FieldMaskSchema, create(FieldMaskSchema, { paths }), "field mask"] as const,
  ),
  [AnySchema, create(AnySchema, { value: new Uint8Array(1) }), "no type"],
  [AnySchema, create(AnySchema, { typeUrl: "a/b.C" }), "a/b.C is not a type of the contract"],
  [ValuesSchema, create(ValuesSchema, { wellKnown: { struct: { a: Number.NaN } } }), "JSON has no number NaN"],
  [ScalarsSchema, create(ScalarsSchema, { int32Value: "1" as unknown as number }), "int32_value: expected an integer"],
  [ScalarsSchema, create(StructSchema), "expected a roundtrip.conformance.v1.Scalars"],
])("what JSON would change is not written: %#", ([type, message, reason]) => {
  expect(() => messageToJson(type, { registry })(message)).toThrow(reason);
});

// Random messages of random types.

/** Values in the place of another, as JSON text. */
const odd = String.raw`
  null true 0 -0 1 -1 1.5 1e3 4294967295 4294967296 2147483648 -2147483649 16777217 3.5e38 1e308 "" "a" "0" "-0" "-1" "01" "1e1"
  "1.0" "NaN" "9223372036854775808" "-9223372036854775809" "AQ==" "AQ" "A" "\ud800" "\u00201" "a,b_c" "a,,bC" "1s" "-0s" "1.5"
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

const mutation = fc.record({
  at: fc.nat(),
  value: fc.option(fc.constantFrom(...odd), { nil: undefined }),
  name: fc.constantFrom(...names),
  keeps: fc.boolean(),
});

/** JSON text with a value or a name replaced. */
function mutated(
  json: JsonValue,
  mutations: readonly (typeof mutation extends fc.Arbitrary<infer T> ? T : never)[],
): string {
  const around = { json: structuredClone(json) };
  const raw: string[] = [];
  for (const { at, value, name, keeps } of mutations) {
    const places = placesIn(around);
    const [owner, key] = places[at % places.length] as [Owner, string];
    if (value !== undefined) owner[key] = `@${raw.push(value) - 1}@`;
    else if (isObject(owner) && owner !== (around as Owner)) {
      const before = owner[key];
      if (!keeps) delete owner[key];
      Object.defineProperty(owner, name, { value: before, enumerable: true, configurable: true, writable: true });
    }
  }
  return JSON.stringify(around.json).replaceAll(/"@(\d+)@"/g, (_match, index: string) => raw[Number(index)] ?? "");
}

function outcomeOf<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

interface Drawn extends Pick<Contract, "registry"> {
  readonly type: DescMessage;
  readonly message: Message;
}

function messagesOf(contract: Pick<Contract, "registry">, types: readonly DescMessage[]): fc.Arbitrary<Drawn> {
  // A function of its own for each contract: generators are remembered by it and by names, and made-up types share those.
  const source: MessageSource = { registry: contract.registry, maxDepth: 3, valuesOf: () => undefined };
  return fc
    .constantFrom(...types)
    .chain((type) => messageArbitrary(type, source).map((message) => ({ registry: contract.registry, type, message })));
}

function typesOf({ operations }: Contract): readonly DescMessage[] {
  return [...new Set(operations.flatMap(({ input, output }) => [input, output]))];
}

/** Whether JSON differs only in floats, which protobuf-es writes as doubles: those of doubles would be read as others. */
function isSameJson(own: unknown, other: unknown): boolean {
  if (typeof own === "number" && typeof other === "number") {
    const isShorter = Math.fround(other) === other && Math.fround(own) === other && `${own}`.length < `${other}`.length;
    return Object.is(own, other) || isShorter;
  }
  if (typeof own !== "object" || typeof other !== "object" || own === null || other === null) return own === other;
  const entries = Object.entries(own);
  return (
    Array.isArray(own) === Array.isArray(other) &&
    isDeepStrictEqual(Object.keys(own).toSorted(), Object.keys(other).toSorted()) &&
    entries.every(([key, value]) => isSameJson(value, (other as Readonly<Record<string, unknown>>)[key]))
  );
}

/** Both write the same JSON, and read the same message from it. Undefined for a message without JSON. */
function checkWhole({ registry: types, type, message }: Drawn): JsonValue | undefined {
  const before = structuredClone(message);
  const options = { registry: types };
  const json = outcomeOf(() => messageToJson(type, options)(message));
  expect(isDeepStrictEqual(structuredClone(message), before)).toBe(true);
  if (json === undefined) return undefined;
  const plain = JSON.parse(JSON.stringify(json)) as JsonValue;
  const theirs = toJson(type, message, options);
  expect(isSameJson(plain, theirs)).toBe(true);
  expect(isDeepStrictEqual(messageFromJson(type, options)(plain), fromJson(type, theirs, options))).toBe(true);
  return plain;
}

/** Whether both read the same message from JSON that both read. This reader is the stricter one. */
function isReadAlike({ registry: types, type }: Drawn, text: string): boolean {
  return [false, true].every((ignoreUnknownFields) => {
    const options = { registry: types, ignoreUnknownFields };
    const ours = outcomeOf(() => messageFromJson(type, options)(JSON.parse(text) as JsonValue));
    const theirs = outcomeOf(() => fromJson(type, JSON.parse(text) as JsonValue, options));
    if (ours === undefined || theirs === undefined) return true;
    const [own, other] = [ours, theirs].map((message) => outcomeOf(() => toBinary(type, message)));
    return isDeepStrictEqual(own, other);
  });
}

describe("messages are written and read as by protobuf-es, and do not change", () => {
  const conformance = conformanceContract();
  const proto2 = [FieldDescriptorProtoSchema, FieldOptionsSchema, MethodOptionsSchema];
  test.for<readonly [name: string, drawn: fc.Arbitrary<Drawn>, numRuns: number]>([
    [
      "of random contracts",
      madeUpFile.map((file) => contractOfFile(file)).chain((contract) => messagesOf(contract, typesOf(contract))),
      200,
    ],
    ["of the contract of the conformance cases", messagesOf(conformance, [...typesOf(conformance), ValuesSchema]), 300],
    ["of proto2, with defaults and extensions", messagesOf(conformance, proto2), 100],
  ])("%s", ([, drawn, numRuns]) => {
    const property = fc.property(drawn, fc.array(mutation, { maxLength: 2 }), (one, mutations) => {
      const json = checkWhole(one) ?? {};
      const text = mutated(json, mutations);
      expect({ text, isReadAlike: isReadAlike(one, text) }).toEqual({ text, isReadAlike: true });
    });
    fc.assert(property, { numRuns: randomCases(numRuns) });
  });
});

test.each(["a,", "A"])("masks of many paths or capital letters are refused: %s", (part) => {
  const readMask = messageFromJson(FieldMaskSchema, {});
  expect(readMask(part.repeat(50_000).slice(0, -1))).toMatchObject({ $typeName: FieldMaskSchema.typeName });
  expect(() => readMask(part.repeat(50_001))).toThrow("a field mask has more than 50000 paths and capital letters");
});
