// How values may be spelled in ProtoJSON, and how not: the cases of protobuf's own suite (conformance/binary_json_conformance_suite.cc)
// for readers, and the spellings that it leaves open.
import type { Values } from "../../../conformance/src/gen/roundtrip/conformance/v1/values_pb.ts";

/** A field, the JSON of a message in which it has a value, and what a message holds of it. */
export type Place = readonly [name: string, json: (value: string) => string, held: (values: Values) => unknown];

type Group = "scalars" | "wellKnown" | "maps" | "wrappers";

function place<G extends Group>(group: G, name: string, held: (fields: NonNullable<Values[G]>) => unknown): Place {
  return [
    name,
    (value) => `{"${group}":{"${name}":${value}}}`,
    ({ [group]: fields }) => (fields === undefined ? undefined : held(fields)),
  ];
}

const int32 = place("scalars", "int32Value", (held) => held.int32Value);
const uint32 = place("scalars", "uint32Value", (held) => held.uint32Value);
const int64 = place("scalars", "int64Value", (held) => held.int64Value);
const uint64 = place("scalars", "uint64Value", (held) => held.uint64Value);
const double = place("scalars", "doubleValue", (held) => held.doubleValue);
const float = place("scalars", "floatValue", (held) => held.floatValue);
const bytes = place("scalars", "bytesValue", (held) => [...held.bytesValue]);
const bool = place("scalars", "boolValue", (held) => held.boolValue);
const text = place("scalars", "stringValue", (held) => held.stringValue);
const colour = place("scalars", "colour", (held) => held.colour);
const time = place("wellKnown", "time", (held) => [held.time?.seconds, held.time?.nanos]);
const duration = place("wellKnown", "duration", (held) => [held.duration?.seconds, held.duration?.nanos]);
const mask = place("wellKnown", "mask", (held) => held.mask?.paths);
const any = place("wellKnown", "any", (held) => held.any?.typeUrl);
const dynamic = place("wellKnown", "value", (held) => held.value?.kind.value);
const intKey = place("maps", "largeNumberByNumber", (held) => held.largeNumberByNumber);
const longKey = place("maps", "colourByLargeNumber", (held) => held.colourByLargeNumber);
const boolKey = place("maps", "fractionByFlag", (held) => held.fractionByFlag);
const wrapped = place("wrappers", "int64Value", (held) => held.int64Value);

/** What is read, and what it comes to be. */
export const accepted: readonly (readonly [
  place: Place,
  ...read: readonly (readonly [spelling: string, held: unknown])[],
])[] = [
  [int32, ["2147483647", 2147483647], ["-2147483648", -2147483648], ['"2147483647"', 2147483647]],
  [int32, [String.raw`"2\u003147483647"`, 2147483647], ['"0"', 0], ['"1e5"', 100000], ['"-0"', 0], ["-0", 0]],
  [int32, ["100000.000", 100000], ['"100000.000"', 100000], ["1e5", 100000], ["2.147483647e9", 2147483647]],
  [int32, ["-2.147483648e9", -2147483648]],
  [uint32, ["4294967295", 4294967295], ["4.294967295e9", 4294967295]],
  [int64, ['"9223372036854775807"', 2n ** 63n - 1n], ['"-9223372036854775808"', -(2n ** 63n)]],
  [int64, ["9223372036854774784", 9223372036854774784n], ["-9223372036854775808", -(2n ** 63n)], ['"1e3"', 1000n]],
  [int64, ['"1000.0"', 1000n], ['"-0"', 0n], ["-0", 0n], ["1e3", 1000n], ["1000.0", 1000n]],
  [int64, ['"9.223372036854775807E+18"', 2n ** 63n - 1n], ["9.223372036854775807e18", 2n ** 63n - 1n]],
  [int64, ["9007199254740993.0", 9007199254740993n], ["123456789012345e4", 1234567890123450000n]],
  [uint64, ['"18446744073709551615"', 2n ** 64n - 1n], ["18446744073709549568", 18446744073709549568n]],
  [uint64, ['"18446744073709551615.00"', 2n ** 64n - 1n]],
  [wrapped, ['"1e3"', 1000n], ["9007199254740993", 9007199254740993n]],
  [float, ["1.175494e-38", Math.fround(1.175494e-38)], ["3.402823e+38", Math.fround(3.402823e38)]],
  [float, ["3.4028235e+38", 3.4028234663852886e38], ['"1"', 1], ['"1.175494e-38"', Math.fround(1.175494e-38)]],
  [float, ['"NaN"', Number.NaN], ['"Infinity"', Infinity], ['"-Infinity"', -Infinity], ["-0.0", -0]],
  [float, ["16777216.0000000001", 16777216]],
  [double, ["2.22507e-308", 2.22507e-308], ["-1.79769e+308", -1.79769e308], ['"1"', 1], ['"-0"', -0]],
  [double, ['"2.22507e-308"', 2.22507e-308], ["12345678901234567890", Number("12345678901234567890")]],
  [double, ['"NaN"', Number.NaN], ['"Infinity"', Infinity], ['"-Infinity"', -Infinity], ["1.00000000000000000001", 1]],
  [double, ["-1e-999", -0]],
  [bool, ["true", true]],
  [colour, ['"COLOUR_RED"', 1], ["1", 1], ["-1", -1], ["123", 123]],
  [text, [String.raw`"\u8c37\u6B4C"`, "谷歌"], [String.raw`"\uD83D\uDE01"`, "😁"], [String.raw`"a\u0000b"`, "a\0b"]],
  [text, ['"0x10"', "0x10"]],
  [bytes, ['"AQI="', [1, 2]], ['"AQI"', [1, 2]], ['"-_"', [0xfb]], ['"+/8="', [0xfb, 0xff]], ['""', []]],
  [time, ['"0001-01-01T00:00:00Z"', [-62135596800n, 0]]],
  [time, ['"9999-12-31T23:59:59.999999999Z"', [253402300799n, 999999999]]],
  [time, ['"1969-12-31T23:59:59.999999999Z"', [-1n, 999999999]], ['"1969-12-31T23:59:49.500Z"', [-11n, 500000000]]],
  [time, ['"1970-01-01T08:00:01+08:00"', [1n, 0]], ['"1969-12-31T16:00:01-08:00"', [1n, 0]]],
  [time, ['"1970-01-02T01:00:00+02:00"', [82800n, 0]], ['"0001-01-01T00:00:00-00:01"', [-62135596740n, 0]]],
  [time, ['"9999-12-31T23:59:59+00:01"', [253402300739n, 0]], ['"1970-01-01T00:00:00-11:30"', [41400n, 0]]],
  [time, ['"2000-02-29T00:00:00Z"', [951782400n, 0]]],
  [duration, ['"-315576000000.999999999s"', [-315576000000n, -999999999]]],
  [duration, ['"315576000000.999999999s"', [315576000000n, 999999999]], ['"1.5s"', [1n, 500000000]]],
  [duration, ['"-0.5s"', [0n, -500000000]], ['"-5s"', [-5n, 0]], ['"-1.0s"', [-1n, 0]], ['"-0.000s"', [0n, 0]]],
  [mask, ['"foo,barBaz"', ["foo", "bar_baz"]], ['"a.bC"', ["a.b_c"]], ['""', []]],
  [any, ["{}", ""]],
  [any, ['{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":9007199254740993}', anyUrl("Int64Value")]],
  [any, ['{"value":"1.5s","@type":"type.googleapis.com/google.protobuf.Duration"}', anyUrl("Duration")]],
  [any, ['{"@type":"type.googleapis.com/google.protobuf.Value","value":null}', anyUrl("Value")]],
  [dynamic, ["1e3", 1000], ["12345678901234567890", Number("12345678901234567890")], ["1.00000000000000000001", 1]],
  [dynamic, ["1e-999", 0], ['"0x10"', "0x10"]],
  [intKey, ['{"1":2,"-3":"4e0"}', { 1: 2n, [-3]: 4n }], [String.raw`{"\u0031":2}`, { 1: 2n }]],
  [longKey, ['{"9223372036854775807":"COLOUR_RED"}', { "9223372036854775807": 1 }]],
  [boolKey, [String.raw`{"tr\u0075e":1,"false":"0.5"}`, { true: 1, false: 0.5 }]],
];

function anyUrl(name: string): string {
  return `type.googleapis.com/google.protobuf.${name}`;
}

/** What is not. */
export const refused: readonly (readonly [place: Place, ...spellings: readonly string[]])[] = [
  [int32, "2147483648", "-2147483649", "0.5", "true", '"12abc"', '"12 34"', '"12,34"', '"12谷歌34"', '"abc"', '""'],
  [int32, '"0x10"', '"0b1"', '"0o7"', '"+1"', '"01"', '" 1"', '"1 "', '".5"', '"1."', '"1e"', '"1_0"', "[1]", "{}"],
  [uint32, "4294967296", "-1", '"-1"', "0.5", '""', '"0x10"', '"3x3"'],
  [int64, '"9223372036854775808"', '"-9223372036854775809"', "9223372036854775808", '"0.5"', "0.5", '""', '"3x3"'],
  [int64, '"0x10"', '" 5 "', '"5\\n"', '"+1"', '"01"', '"1e99"', '"1e536870000"', '"Infinity"', "true", "[1]"],
  [int64, "1.00000000000000000001", "-1e-999", "9007199254740990.9999999999"],
  [int32, "1.00000000000000000001", "1e-999"],
  [uint64, "1.00000000000000000001", "1e-999"],
  [wrapped, "1.00000000000000000001"],
  [colour, "1.00000000000000000001"],
  [mask, "1e-999"],
  [any, "1e-999", '{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":1e-999}'],
  [intKey, "1e-999", '{"1":1e-999}'],
  [text, "1e-999"],
  [bytes, "1e-999"],
  [bool, "1e-999"],
  [int64, "9007199254740992.5", '"1000.1"', '"1e-1"', '"1n"', '"-"'],
  [uint64, '"18446744073709551616"', '"1e536870000"', '"-1"', '"0.5"', '""', '"3x3"', '"0x10"'],
  [wrapped, '"0x10"', '" 5"', '"+1"', '""'],
  [float, "3.502823e+38", "-3.502823e+38", '"3.502823e+38"', '""', '"12abc"', '"12 34"', '"abc"', "true", '"nan"'],
  [double, '"1.89769e+308"', '"-1.89769e+308"', '""', '"0x10"', '"+1"', '" 1"', '"1."', '".5"', '"+Infinity"', '"inf"'],
  [double, '"1e999"', "true", '"12,34"', "[1]"],
  [bool, "0", "1", '"true"', '"false"', '""'],
  [
    colour,
    '"FOO"',
    "0.5",
    "true",
    '["COLOUR_RED"]',
    "[2]",
    '"1"',
    '"colour_red"',
    "2147483648",
    "12345678901234567890",
  ],
  [text, "12345", "true", "12345678901234567890", String.raw`"\uD800"`, String.raw`"\uDC00"`],
  [text, String.raw`"\uDE01\uD83D"`],
  [bytes, '"=="', '"A B C"', '"AQI=\\n"', '"A"', '"AQ="', '"AQI=="', '"AQ==AQ=="', '"*"', "1", "12345678901234567890"],
  [time, '"0000-01-01T00:00:00Z"', '"10000-01-01T00:00:00Z"', '"0001-01-01T00:00:00"', '"0001-01-01 00:00:00Z"'],
  [time, '"0001-01-01T00:00:00z"', '"0001-01-01t00:00:00Z"', '"1970-01-01T08:00:01+0800"', '"1970-13-01T00:00:00Z"'],
  [time, '"1970-00-01T00:00:00Z"', '"1970-01-32T00:00:00Z"', '"1970-01-00T00:00:00Z"', '"1970-01-01T24:00:00Z"'],
  [time, '"1970-01-01T25:00:00Z"', '"1970-01-01T00:60:00Z"', '"1970-01-01T00:00:60Z"'],
  [time, '"1970-01-01T00:00:00+24:00"', '"1970-01-01T00:00:00+00:60"', '"0001-01-01T00:00:00+00:01"'],
  [time, '"9999-12-31T23:59:59-00:01"', '"1970-01-01T00:00:00.1234567890Z"', '"1970-01-01T00:00:00.123aZ"'],
  [time, '"999-01-01T00:00:00Z"', '"00001-01-01T00:00:00Z"', '"1970-1-01T00:00:00Z"', '"1970-01-1T00:00:00Z"'],
  [time, '"2001-02-29T00:00:00Z"', '"2026-02-30T00:00:00Z"', '"1900-02-29T00:00:00Z"', '"2026-04-31T00:00:00Z"'],
  [time, '"1970-01-01T00:00:00.Z"', '" 1970-01-01T00:00:00Z"', "0", '""'],
  [duration, '"1"', '"-315576000001s"', '"315576000001.000000000s"', '"1.0000000000s"', '"1s "', '"1sx"', '"+1s"'],
  [duration, '".5s"', '"1.s"', '"1e3s"', '"0x1s"', "1", '""'],
  [mask, '"foo,bar_bar"', "[]", "1", String.raw`"\ud800"`],
  [
    any,
    '{"@type":"","value":""}',
    '{"@type":"not_a_url","value":""}',
    '{"@type":"google.protobuf.Duration","value":"1s"}',
  ],
  [any, `{"@type":"${anyUrl("Duration")}"}`, `{"@type":"${anyUrl("Duration")}","value":"1s","more":1}`],
  [any, `{"@type":"${anyUrl("Timestamp")}","value":"2026-02-30T00:00:00Z"}`, '{"value":1}', "1"],
  [any, `{"@type":"${anyUrl("Int64Value")}","value":"0x10"}`, `{"@type":"${anyUrl("Struct")}","a":1}`],
  [dynamic, String.raw`"\ud800"`, String.raw`{"\ud800":1}`, String.raw`[["\udc00"]]`],
  [intKey, '{"0x1":1}', '{" 1":1}', '{"+1":1}', '{"01":1}', '{"1.0":1}', '{"1e0":1}', '{"":1}', '{"2147483648":1}'],
  [intKey, '{"0":null}', '{"0":1,"-0":1}', '{"1":"0x1"}', "[]"],
  [longKey, '{"9223372036854775808":1}', '{"0x1":1}', '{"01":1}', '{"1e0":1}', '{"0":1,"-0":1}'],
  [boolKey, '{"1":1}', '{"True":1}', '{"":1}'],
];
