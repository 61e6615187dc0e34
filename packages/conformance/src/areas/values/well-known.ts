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
import { expectEchoed } from "../../support/echo.ts";

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
export const wellKnownCases = casesIn("values", [
  {
    id: "RT-0187",
    level: "MUST",
    title: "times are kept to the nanosecond, from the year 1 to 9999",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
        ...[
          { seconds: 0n },
          { seconds: year1 },
          { seconds: year9999, nanos: 999_999_999 },
          { seconds: 1_700_000_000n, nanos: 1 },
          { seconds: 1_700_000_000n, nanos: 120_000_000 },
        ].map((time) => ({ wellKnown: { time } })),
      ),
  },
  {
    id: "RT-0188",
    level: "MUST",
    title: "a time half a second before 1970 is kept",
    needs: ["server"],
    run: (run) => expectEchoed(run, { wellKnown: { time: { seconds: -1n, nanos: 500_000_000 } } }),
  },
  {
    id: "RT-0189",
    level: "MUST",
    title: "durations are kept to the nanosecond, both signs, up to ten thousand years",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
        ...[
          {},
          { seconds: longestSeconds, nanos: 999_999_999 },
          { seconds: -longestSeconds, nanos: -999_999_999 },
          { nanos: -1 },
          { seconds: 1n, nanos: 500_000_000 },
        ].map((duration) => ({ wellKnown: { duration } })),
      ),
  },
  {
    id: "RT-0190",
    level: "MUST",
    title: "the paths of a mask are kept, also nested ones and an empty mask",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
        { wellKnown: { mask: { paths: ["vat_identification_number", "a.b_c.d", "id"] } } },
        { wellKnown: { mask: {} } },
      ),
  },
  {
    id: "RT-0191",
    level: "MUST",
    title: "a message in an Any is kept, also one with its own JSON form",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
        { wellKnown: { any: anyPack(TreeSchema, create(TreeSchema, { label: "oak", branches: [{}] })) } },
        { wellKnown: { any: anyPack(TreeSchema, create(TreeSchema)) } },
        { wellKnown: { any: anyPack(DurationSchema, create(DurationSchema, { seconds: 1n, nanos: 1 })) } },
        { wellKnown: { any: anyPack(TimestampSchema, create(TimestampSchema, { seconds: 1n })) } },
        { wellKnown: { any: anyPack(StringValueSchema, create(StringValueSchema, { value: "w" })) } },
      ),
  },
  {
    id: "RT-0192",
    level: "MUST",
    title: "an untyped object is kept, with text, numbers, booleans, null, lists and objects",
    needs: ["server"],
    run: (run) => expectEchoed(run, { wellKnown: { struct: untyped } }, { wellKnown: { struct: {} } }),
  },
  {
    id: "RT-0193",
    level: "MUST",
    title: "each kind of untyped value is kept",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
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
  },
  {
    id: "RT-0194",
    level: "MUST",
    title: "an untyped null and an absent value stay different",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
        { wellKnown: { value: { kind: { case: "nullValue", value: NullValue.NULL_VALUE } } } },
        { wellKnown: {} },
      ),
  },
  {
    id: "RT-0195",
    level: "MUST",
    title: "an untyped list is kept, also an empty one",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
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
  },
  {
    id: "RT-0196",
    level: "MUST",
    title: "a message without fields stays present or absent",
    needs: ["server"],
    run: (run) => expectEchoed(run, { wellKnown: { empty: {} } }, { wellKnown: {} }),
  },
  {
    id: "RT-0197",
    level: "MUST",
    title: "wrapped scalars keep their values, also zero and empty ones",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
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
  },
  {
    id: "RT-0198",
    level: "MUST",
    title: "wrapped not-a-number, infinity and negative zero are kept",
    needs: ["server"],
    run: (run) =>
      expectEchoed(
        run,
        ...[Number.NaN, Number.NEGATIVE_INFINITY, -0].map((doubleValue) => ({ wrappers: { doubleValue } })),
      ),
  },
]);
