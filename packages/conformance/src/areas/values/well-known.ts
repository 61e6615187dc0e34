// Values of the types with a special form in ProtoJSON: times, durations, masks, wrappers and untyped values.
import { create, fromJson } from "@bufbuild/protobuf";
import {
  anyPack,
  DurationSchema,
  ListValueSchema,
  NullValue,
  StringValueSchema,
  TimestampSchema,
  ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { TreeSchema } from "../../gen/roundtrip/conformance/v1/values_pb.ts";
import { casesIn } from "../../case/case.ts";
import { echoed } from "../../support/handlers.ts";

const year1 = -62_135_596_800n;
const year9999 = 253_402_300_799n;
const longestSeconds = 315_576_000_000n;
const untyped = {
  text: "𝔘",
  number: 1.5,
  flag: false,
  nothing: null,
  list: [1, "2", null, [], {}],
  inner: { deep: {} },
};

/** The cases RT-0187 to RT-0198. */
export const wellKnownCases = casesIn("values", ["server"], {
  "RT-0187 times are kept to the nanosecond, from the year 1 to 9999": echoed(
    ...[
      { seconds: 0n },
      { seconds: year1 },
      { seconds: year9999, nanos: 999_999_999 },
      { seconds: 1_700_000_000n, nanos: 1 },
      { seconds: 1_700_000_000n, nanos: 120_000_000 },
    ].map((time) => ({ wellKnown: { time } })),
  ),
  "RT-0188 a time half a second before 1970 is kept": echoed({
    wellKnown: { time: { seconds: -1n, nanos: 500_000_000 } },
  }),
  "RT-0189 durations are kept to the nanosecond, both signs, up to ten thousand years": echoed(
    ...[
      {},
      { seconds: longestSeconds, nanos: 999_999_999 },
      { seconds: -longestSeconds, nanos: -999_999_999 },
      { nanos: -1 },
      { seconds: 1n, nanos: 500_000_000 },
    ].map((duration) => ({ wellKnown: { duration } })),
  ),
  "RT-0190 the paths of a mask are kept, also nested ones and an empty mask": echoed(
    { wellKnown: { mask: { paths: ["vat_identification_number", "a.b_c.d", "id"] } } },
    { wellKnown: { mask: {} } },
  ),
  "RT-0191 a message in an Any is kept, also one with its own JSON form": echoed(
    { wellKnown: { any: anyPack(TreeSchema, create(TreeSchema, { label: "oak", branches: [{}] })) } },
    { wellKnown: { any: anyPack(TreeSchema, create(TreeSchema)) } },
    { wellKnown: { any: anyPack(DurationSchema, create(DurationSchema, { seconds: 1n, nanos: 1 })) } },
    { wellKnown: { any: anyPack(TimestampSchema, create(TimestampSchema, { seconds: 1n })) } },
    { wellKnown: { any: anyPack(StringValueSchema, create(StringValueSchema, { value: "w" })) } },
  ),
  "RT-0192 an untyped object is kept, with text, numbers, booleans, null, lists and objects": echoed(
    { wellKnown: { struct: untyped } },
    { wellKnown: { struct: {} } },
  ),
  "RT-0193 each kind of untyped value is kept": echoed(
    { wellKnown: { value: { kind: { case: "numberValue", value: -0.5 } } } },
    { wellKnown: { value: { kind: { case: "stringValue", value: "" } } } },
    { wellKnown: { value: { kind: { case: "boolValue", value: false } } } },
    { wellKnown: { value: fromJson(ValueSchema, untyped) } },
    {
      wellKnown: {
        value: create(ValueSchema, { kind: { case: "listValue", value: create(ListValueSchema, { values: [] }) } }),
      },
    },
  ),
  "RT-0194 an untyped null and an absent value stay different": echoed(
    { wellKnown: { value: { kind: { case: "nullValue", value: NullValue.NULL_VALUE } } } },
    { wellKnown: {} },
  ),
  "RT-0195 an untyped list is kept, also an empty one": echoed(
    {
      wellKnown: {
        list: {
          values: [
            { kind: { case: "stringValue", value: "a" } },
            { kind: { case: "nullValue", value: NullValue.NULL_VALUE } },
          ],
        },
      },
    },
    { wellKnown: { list: { values: [] } } },
  ),
  "RT-0196 a message without fields stays present or absent": echoed({ wellKnown: { empty: {} } }, { wellKnown: {} }),
  "RT-0197 wrapped scalars keep their values, also zero and empty ones": echoed(
    {},
    { wrappers: {} },
    {
      wrappers: {
        doubleValue: 0,
        floatValue: 0,
        int64Value: 0n,
        uint64Value: 0n,
        int32Value: 0,
        uint32Value: 0,
        boolValue: false,
        stringValue: "",
        bytesValue: new Uint8Array(),
      },
    },
    {
      wrappers: {
        doubleValue: Number.MAX_VALUE,
        floatValue: Math.fround(0.1),
        int64Value: -(2n ** 63n),
        uint64Value: 2n ** 64n - 1n,
        int32Value: -(2 ** 31),
        uint32Value: 2 ** 32 - 1,
        boolValue: true,
        stringValue: "𝔘",
        bytesValue: new Uint8Array([0, 255]),
      },
    },
  ),
  "RT-0198 wrapped not-a-number, infinity and negative zero are kept": echoed(
    ...[Number.NaN, Number.NEGATIVE_INFINITY, -0].map((doubleValue) => ({ wrappers: { doubleValue } })),
  ),
});
