// Valid and invalid ProtoJSON spellings (https://protobuf.dev/programming-guides/json/): the cases of protobuf's own suite for readers
// (conformance/binary_json_conformance_suite.cc). Numbers in strings must be JSON numbers.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { anyPack, DurationSchema } from "@bufbuild/protobuf/wkt";
import { Colour, type ValuesSchema } from "../gen/roundtrip/conformance/v1/values_pb.ts";

type Values = MessageInitShape<typeof ValuesSchema>;

/** Values that a client sends, and the part of its text that is replaced: a name, a colon and a value. */
export interface Spelling {
  readonly values: Values;
  readonly from: string;
}

interface SpellingCase<T> {
  readonly id: string;
  readonly title: string;
  readonly spelling: Spelling;
  readonly spellings: readonly T[];
}

const int32: Spelling = { values: { scalars: { int32Value: 1 } }, from: '"int32Value":1' };
const uint32: Spelling = { values: { scalars: { uint32Value: 1 } }, from: '"uint32Value":1' };
const int64: Spelling = { values: { scalars: { int64Value: 1n } }, from: '"int64Value":"1"' };
const uint64: Spelling = { values: { scalars: { uint64Value: 1n } }, from: '"uint64Value":"1"' };
const double: Spelling = { values: { scalars: { doubleValue: 1 } }, from: '"doubleValue":1' };
const float: Spelling = { values: { scalars: { floatValue: 1 } }, from: '"floatValue":1' };
const bool: Spelling = { values: { scalars: { boolValue: true } }, from: '"boolValue":true' };
const text: Spelling = { values: { scalars: { stringValue: "a" } }, from: '"stringValue":"a"' };
const bytes: Spelling = { values: { scalars: { bytesValue: new Uint8Array([1, 2, 3]) } }, from: '"bytesValue":"AQID"' };
const colour: Spelling = { values: { scalars: { colour: Colour.RED } }, from: '"colour":"COLOUR_RED"' };
const time: Spelling = { values: { wellKnown: { time: {} } }, from: '"time":"1970-01-01T00:00:00Z"' };
const duration: Spelling = { values: { wellKnown: { duration: {} } }, from: '"duration":"0s"' };
const mask: Spelling = { values: { wellKnown: { mask: { paths: ["a"] } } }, from: '"mask":"a"' };
const wrapped: Spelling = { values: { wrappers: { int64Value: 1n } }, from: '"int64Value":"1"' };
const dynamic: Spelling = {
  values: { wellKnown: { value: { kind: { case: "stringValue", value: "a" } } } },
  from: '"value":"a"',
};
const packed: Spelling = {
  values: {
    wellKnown: { any: anyPack(DurationSchema, { $typeName: "google.protobuf.Duration", seconds: 1n, nanos: 0 }) },
  },
  from: '"value":"1s"',
};
const keys: Spelling = {
  values: { maps: { largeNumberByNumber: { 1: 1n } } },
  from: '"largeNumberByNumber":{"1":"1"}',
};

const int64s = (...all: readonly (readonly [string, bigint])[]) =>
  all.map(([spelling, int64Value]) => [spelling, { scalars: { int64Value } }] as const);
const doubles = (...all: readonly (readonly [string, number])[]) =>
  all.map(([spelling, doubleValue]) => [spelling, { scalars: { doubleValue } }] as const);
const bytesOf = (...all: readonly (readonly [string, readonly number[]])[]) =>
  all.map(([spelling, held]) => [spelling, { scalars: { bytesValue: new Uint8Array(held) } }] as const);
const times = (...all: readonly (readonly [string, bigint, number?])[]) =>
  all.map(([at, seconds, nanos = 0]) => [`"${at}"`, { wellKnown: { time: { seconds, nanos } } }] as const);
const durations = (...all: readonly (readonly [string, bigint, number?])[]) =>
  all.map(([length, seconds, nanos = 0]) => [`"${length}"`, { wellKnown: { duration: { seconds, nanos } } }] as const);

/** Accepted spellings, each with the value that it means. */
export const readSpellings: readonly SpellingCase<readonly [text: string, values: Values]>[] = [
  {
    id: "RT-1601",
    title: "a 64-bit integer as a number or string, with an exponent or a zero fraction",
    spelling: int64,
    spellings: int64s(
      ["7", 7n],
      ["-0", 0n],
      ["1e3", 1000n],
      ["1000.0", 1000n],
      ['"1e3"', 1000n],
      ['"1000.0"', 1000n],
      ['"-0"', 0n],
      ['"9.223372036854775807E+18"', 2n ** 63n - 1n],
      ['"-9223372036854775808"', -(2n ** 63n)],
    ),
  },
  {
    id: "RT-1602",
    title: "a 64-bit integer as a number beyond the precision of a double",
    spelling: int64,
    spellings: int64s(
      ["9007199254740993", 2n ** 53n + 1n],
      ["-9007199254740993.0", -(2n ** 53n) - 1n],
      ["9.223372036854775807e18", 2n ** 63n - 1n],
      ["123456789012345e4", 1_234_567_890_123_450_000n],
    ),
  },
  {
    id: "RT-1603",
    title: "a signed 32-bit integer as a string",
    spelling: int32,
    spellings: ['"1e5"', '"100000.0"', '"100000"'].map((one) => [one, { scalars: { int32Value: 100_000 } }]),
  },
  {
    id: "RT-1604",
    title: "a signed 32-bit integer as a number with an exponent or a zero fraction",
    spelling: int32,
    spellings: ["1e5", "100000.000", "1.0e+5"].map((one) => [one, { scalars: { int32Value: 100_000 } }]),
  },
  {
    id: "RT-1605",
    title: "an unsigned 32-bit integer as a string and as a number",
    spelling: uint32,
    spellings: ['"4294967295"', "4.294967295e9", '"4.294967295e9"'].map((one) => [
      one,
      { scalars: { uint32Value: 2 ** 32 - 1 } },
    ]),
  },
  {
    id: "RT-1606",
    title: "a double as a string",
    spelling: double,
    spellings: doubles(['"1.5"', 1.5], ['"-0"', -0], ['"2.5e-3"', 0.0025], ['"Infinity"', Infinity]),
  },
  {
    id: "RT-1607",
    title: "the largest float with the digits that identify it",
    spelling: float,
    spellings: [["3.4028235e+38", { scalars: { floatValue: 3.4028234663852886e38 } }]],
  },
  {
    id: "RT-1608",
    title: "bytes in either alphabet of base64, with full padding or none",
    spelling: bytes,
    spellings: bytesOf(
      ['"AQI="', [1, 2]],
      ['"AQI"', [1, 2]],
      ['"-_"', [251]],
      ['"+/8="', [251, 255]],
      ['"-_8"', [251, 255]],
    ),
  },
  {
    id: "RT-1609",
    title: "a time with an offset, in its whole range",
    spelling: time,
    spellings: times(
      ["1970-01-01T08:00:01+08:00", 1n],
      ["1970-01-01T00:00:00-11:30", 41_400n],
      ["2000-02-29T00:00:00.5Z", 951_782_400n, 500_000_000],
      ["0001-01-01T00:00:00-00:01", -62_135_596_740n],
      ["9999-12-31T23:59:59.999999999Z", 253_402_300_799n, 999_999_999],
    ),
  },
  {
    id: "RT-1610",
    title: "a duration with up to nine fractional digits",
    spelling: duration,
    spellings: durations(
      ["-0.5s", 0n, -500_000_000],
      ["1.000000001s", 1n, 1],
      ["-315576000000.999999999s", -315_576_000_000n, -999_999_999],
    ),
  },
  {
    id: "RT-1611",
    title: "an enum's value as its number",
    spelling: colour,
    spellings: [["2", { scalars: { colour: Colour.GREEN } }]],
  },
  {
    id: "RT-1612",
    title: "a wrapped integer spelled like an unwrapped one",
    spelling: wrapped,
    spellings: ['"1e3"', "1000.0", "1000"].map((one) => [one, { wrappers: { int64Value: 1000n } }]),
  },
];

/** Spellings that are refused as INVALID_ARGUMENT. */
export const refusedSpellings: readonly SpellingCase<string>[] = [
  {
    id: "RT-1621",
    title: "a string that is not a JSON number, for a 64-bit integer",
    spelling: int64,
    spellings: ['"0x10"', '" 5 "', '"+1"', '"01"', '""', '"1_0"', '"0.5"', '"1e99"', '"Infinity"', "true", "0.5"],
  },
  {
    id: "RT-1622",
    title: "a 64-bit integer out of range",
    spelling: int64,
    spellings: ['"9223372036854775808"', "9223372036854775808", '"-9223372036854775809"', "1e19"],
  },
  {
    id: "RT-1623",
    title: "an unsigned 64-bit integer out of range, or not a number",
    spelling: uint64,
    spellings: ['"18446744073709551616"', '"-1"', "-1", '"0x10"', '"1e536870000"'],
  },
  {
    id: "RT-1624",
    title: "an invalid 32-bit integer",
    spelling: int32,
    spellings: ['"0x10"', '" 1"', '"1 "', '"12abc"', '""', "0.5", "2147483648", "true", "[1]"],
  },
  {
    id: "RT-1625",
    title: "an invalid unsigned 32-bit integer",
    spelling: uint32,
    spellings: ["4294967296", "-1", '"-1"', '"0x10"', '" 1"', "0.5"],
  },
  {
    id: "RT-1626",
    title: "an invalid double",
    spelling: double,
    spellings: ['"0x10"', '" 1"', '"+1"', '""', '".5"', '"1e999"', "1e999", '"inf"', '"nan"', "true"],
  },
  { id: "RT-1627", title: "an invalid float", spelling: float, spellings: ["3.5e38", '"3.5e38"', '"0x1"', '""'] },
  { id: "RT-1628", title: "an invalid boolean", spelling: bool, spellings: ['"true"', "1", "0", '"false"'] },
  {
    id: "RT-1629",
    title: "an invalid string",
    spelling: text,
    spellings: ["12345", "12345678901234567890", "true", "{}"],
  },
  {
    id: "RT-1630",
    title: "invalid base64",
    spelling: bytes,
    spellings: ['"=="', '"A B C"', '"A"', '"AQ="', '"AQI=="', '"AQ==AQ=="', '"*"', "1"],
  },
  {
    id: "RT-1631",
    title: "a time with a day or hour that does not exist",
    spelling: time,
    spellings: [
      '"2026-02-30T00:00:00Z"',
      '"2001-02-29T00:00:00Z"',
      '"2026-04-31T00:00:00Z"',
      '"1970-13-01T00:00:00Z"',
      '"1970-01-01T24:00:00Z"',
      '"1970-01-01T00:60:00Z"',
      '"1970-01-01T00:00:60Z"',
      '"1970-01-01T00:00:00+24:00"',
    ],
  },
  {
    id: "RT-1632",
    title: "a time that is not valid in RFC 3339 and ProtoJSON",
    spelling: time,
    spellings: [
      '"1970-01-01T00:00:00z"',
      '"1970-01-01t00:00:00Z"',
      '"1970-01-01 00:00:00Z"',
      '"1970-01-01T00:00:00"',
      '"1970-01-01T00:00:00.1234567890Z"',
      '"0000-01-01T00:00:00Z"',
      '"9999-12-31T23:59:59-00:01"',
      "0",
    ],
  },
  {
    id: "RT-1633",
    title: "an invalid or too long duration",
    spelling: duration,
    spellings: ['"1"', '"1s "', '"1sx"', '"+1s"', '".5s"', '"1.s"', '"1.0000000000s"', '"315576000001s"', "1"],
  },
  { id: "RT-1634", title: "a mask that is not in camel case", spelling: mask, spellings: ['"a,b_c"', '["a"]'] },
  {
    id: "RT-1635",
    title: "an unknown enum value",
    spelling: colour,
    spellings: ['"NONE"', "0.5", "true", '["RED"]'],
  },
  {
    id: "RT-1636",
    title: "half a surrogate pair in any JSON",
    spelling: dynamic,
    spellings: [String.raw`"\ud800"`, String.raw`{"\udc00":1}`],
  },
  { id: "RT-1637", title: "a wrong value in an Any", spelling: packed, spellings: ['"1"', '"1sx"', '"1s","more":1'] },
  {
    id: "RT-1638",
    title: "map keys that are not integers, or duplicate",
    spelling: keys,
    spellings: [
      '{"0x1":"1"}',
      '{" 1":"1"}',
      '{"1.0":"1"}',
      '{"":"1"}',
      '{"0":"1","-0":"1"}',
      '{"1":null}',
      '{"2147483648":"1"}',
    ],
  },
  {
    id: "RT-1639",
    title: "an invalid wrapped integer",
    spelling: wrapped,
    spellings: ['"0x10"', '" 5"', '""', "0.5"],
  },
  {
    id: "RT-1640",
    title: "a fraction that a double rounds to a 64-bit integer",
    spelling: int64,
    spellings: ["1.00000000000000000001", "-1e-999"],
  },
];
