// The messages with a special form in ProtoJSON. Most have values that ProtoJSON can write, as their definitions require.
import { create, fromJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import * as fc from "fast-check";

const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
/** The binary format has numbers that JSON does not support. */
const notFinite = fc
  .constantFrom(Number.NaN, Infinity, -Infinity)
  .map((value) => ({ kind: { case: "numberValue", value } }));
const fieldPath = fc.constantFrom("a", "name", "some_text", "a.b", "deeper.some_text", "with2_digits");

const timestamp = fc.oneof(
  fc.constantFrom(
    { seconds: 0n, nanos: 0 },
    { seconds: -62_135_596_800n, nanos: 0 },
    { seconds: 253_402_300_799n, nanos: 999_999_999 },
    { seconds: -1n, nanos: 1 },
  ),
  fc.record({
    seconds: fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n }),
    nanos: fc.oneof(fc.constantFrom(0, 1, 1_000, 500_000_000), fc.integer({ min: 0, max: 999_999_999 })),
  }),
);

/** Seconds and nanoseconds of one sign, within ±10,000 years. */
const duration = fc
  .tuple(
    fc.oneof(fc.constantFrom(0n, 1n, 315_576_000_000n), fc.bigInt({ min: 0n, max: 315_576_000_000n })),
    fc.oneof(fc.constantFrom(0, 1, 1_000, 500_000_000), fc.integer({ min: 0, max: 999_999_999 })),
    fc.boolean(),
  )
  .map(([seconds, nanos, isNegative]) => {
    const allowed = seconds === 315_576_000_000n ? 0 : nanos;
    return isNegative ? { seconds: -seconds, nanos: allowed === 0 ? 0 : -allowed } : { seconds, nanos: allowed };
  });

function fields(desc: DescMessage, values: fc.Arbitrary<object>): fc.Arbitrary<Message> {
  return values.map((value) => create(desc, value as never));
}

function fromJsonOf(desc: DescMessage, values: fc.Arbitrary<JsonValue>): fc.Arbitrary<Message> {
  return values.map((value) => fromJson(desc, value));
}

/** A message of this type; undefined for `Any` and for types without a special form in ProtoJSON. */
export function wellKnownMessage(desc: DescMessage): fc.Arbitrary<Message> | undefined {
  switch (desc.typeName) {
    case "google.protobuf.Timestamp":
      return fields(desc, timestamp);
    case "google.protobuf.Duration":
      return fields(desc, duration);
    case "google.protobuf.FieldMask":
      return fields(desc, fc.record({ paths: fc.array(fieldPath, { maxLength: 3 }) }));
    case "google.protobuf.Struct":
      return fromJsonOf(
        desc,
        fc.dictionary(fc.string({ maxLength: 6 }), json, { maxKeys: 3 }) as fc.Arbitrary<JsonValue>,
      );
    case "google.protobuf.ListValue":
      return fromJsonOf(desc, fc.array(json, { maxLength: 3 }));
    case "google.protobuf.Value":
      return fc.oneof(
        { weight: 9, arbitrary: fromJsonOf(desc, json) },
        { weight: 1, arbitrary: fields(desc, notFinite) },
      );
    default:
      return undefined;
  }
}
