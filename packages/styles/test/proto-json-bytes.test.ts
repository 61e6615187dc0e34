// Bytes in ProtoJSON: Node.js spells and reads them, and the result equals that of protobuf-es.
import { isDeepStrictEqual } from "node:util";
import {
  create,
  fromJson,
  toBinary,
  toJson,
  type DescField,
  type DescMessage,
  ScalarType,
  type JsonValue,
  type Message,
  type Registry,
} from "@bufbuild/protobuf";
import { anyPack, AnySchema, BytesValueSchema } from "@bufbuild/protobuf/wkt";
import type { Contract } from "@roundtrip/contract";
import { conformanceContract } from "../../conformance/src/index.ts";
import {
  ScalarsSchema,
  TreeSchema,
  ValuesSchema,
} from "../../conformance/src/gen/roundtrip/conformance/v1/values_pb.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contractOfFile } from "../../../bench/fuzz/arbitraries/made-up-contract.ts";
import { madeUpFile } from "../../../bench/fuzz/arbitraries/made-up-file.ts";
import { messageArbitrary, type MessageSource } from "../../../bench/fuzz/arbitraries/message.ts";
import { scalarValue } from "../../../bench/fuzz/arbitraries/scalar-values.ts";
import { MessageBytes, minExtractedBytes, ExtractedBytes } from "../src/shared/proto-json/message-bytes.ts";
import { messageFromJson } from "../src/shared/proto-json/message-from-json.ts";
import { messageToJson } from "../src/shared/proto-json/message-to-json.ts";

const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => index * 7 + length);
/** From `minExtractedBytes` on, another code path writes them. */
const bytes = fc.constantFrom(0, 1, minExtractedBytes - 1, minExtractedBytes, 1_000).map(bytesOf);

function bytesIn(field: DescField): fc.Arbitrary<unknown> | undefined {
  if (field.message !== undefined || field.scalar !== ScalarType.BYTES) return undefined;
  if (field.fieldKind === "list") return fc.array(bytes, { maxLength: 3 });
  return field.fieldKind === "map" ? fc.array(fc.tuple(scalarValue(field.mapKey), bytes), { maxLength: 3 }) : bytes;
}

interface Drawn {
  readonly registry: Registry;
  readonly type: DescMessage;
  readonly message: Message;
}

function messagesOf({ registry, operations }: Contract): fc.Arbitrary<Drawn> {
  // A function of its own for each contract: generators are remembered by it and by names, and made-up types share those.
  const source: MessageSource = { registry, maxDepth: 3, valuesOf: (field) => bytesIn(field) };
  const types = [...new Set(operations.flatMap(({ input, output }) => [input, output]))];
  return fc
    .constantFrom(...types)
    .chain((type) => messageArbitrary(type, source).map((message) => ({ registry, type, message })));
}

const madeUp = madeUpFile.map((file) => contractOfFile(file)).chain(messagesOf);

function jsonOr(write: () => JsonValue): string {
  try {
    return JSON.stringify(write());
  } catch (thrown) {
    return `throws ${(thrown as Error).message}`;
  }
}

function checkSame({ registry, type, message }: Drawn): void {
  const before = structuredClone(message);
  const text = jsonOr(() => messageToJson(type, { registry })(message));
  expect(text).toBe(jsonOr(() => toJson(type, message, { registry })));
  expect(isDeepStrictEqual(structuredClone(message), before)).toBe(true);
  if (text.startsWith("throws")) return;
  const read = messageFromJson(type, { registry })(JSON.parse(text));
  expect(isDeepStrictEqual(read, fromJson(type, JSON.parse(text), { registry }))).toBe(true);
}

describe("messages are written and read as by protobuf-es, and do not change", () => {
  test("of random contracts", () => {
    fc.assert(fc.property(madeUp, checkSame), { numRuns: 100 });
  });

  test("of the contract of the conformance cases", () => {
    fc.assert(fc.property(messagesOf(conformanceContract()), checkSame), { numRuns: 100 });
  });
});

const { registry } = conformanceContract();
const many = bytesOf(1_000);
const base64 = Buffer.from(many).toString("base64");
const inWrapper = create(BytesValueSchema, { value: many });
const inAny = anyPack(BytesValueSchema, inWrapper);
const values = create(ValuesSchema, {
  scalars: { bytesValue: many },
  presence: { data: many },
  lists: { datas: [many, bytesOf(3), many] },
  maps: { dataByLargeNumber: { 3: many } },
  wellKnown: { any: anyPack(ScalarsSchema, create(ScalarsSchema, { bytesValue: many, stringValue: "a" })) },
  wrappers: { bytesValue: many },
  choice: { kind: { case: "data", value: many } },
});

test.for<readonly [name: string, type: DescMessage, message: Message, json: object | string]>([
  ["a wrapper", BytesValueSchema, inWrapper, base64],
  ["a wrapper in an Any", AnySchema, inAny, { value: base64 }],
  ["an Any in an Any", AnySchema, anyPack(AnySchema, inAny), { value: { value: base64 } }],
  [
    "each kind of field",
    ValuesSchema,
    values,
    { lists: { datas: [base64, "AwoR", base64] }, choice: { data: base64 } },
  ],
])("%s has its bytes in their place, and protobuf-es never gets to see them", ([, type, message, json]) => {
  const write = messageToJson(type, { registry });
  const written = write(message);
  expect(written).toEqual(toJson(type, message, { registry }));
  expect({ json: written }).toMatchObject({ json });
  expect(messageFromJson(type, { registry })(structuredClone(written))).toStrictEqual(message);
  const rest = new MessageBytes(registry).ofMessage(type)?.(message, new ExtractedBytes()) as Message;
  expect(toBinary(type, rest).length).toBeLessThan(many.length);
});

test("types that cannot contain bytes are left to protobuf-es", () => {
  expect(new MessageBytes(registry).ofMessage(TreeSchema)).toBeUndefined();
});
