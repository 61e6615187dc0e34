// Spellings: a style with JSON requests accepts exactly the spellings of ProtoJSON (https://protobuf.dev/programming-guides/json/). The cases are those of
// protobuf's own suite for readers (conformance/binary_json_conformance_suite.cc). Numbers in strings must be JSON numbers.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack, DurationSchema } from "@bufbuild/protobuf/wkt";
import {
  ConformanceService,
  EchoRequestSchema,
  EchoResponseSchema,
} from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { Colour, ValuesSchema, type Values } from "../../gen/roundtrip/conformance/v1/values_pb.ts";
import { answerFault, answerText, expect, expectMessage } from "../../case/expectations.ts";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn } from "../../case/case.ts";
import { someHandlersOf } from "../../support/handlers.ts";

const { echo } = ConformanceService.method;

type ValuesInit = MessageInitShape<typeof ValuesSchema>;

/** A field whose value is spelled in other ways. */
interface Spelling<T> {
  /** The part of a request's text that is replaced: a name, a colon and a value. */
  readonly from: string;
  /** The value in that part. */
  readonly valid: T;
  readonly valuesOf: (value: T) => ValuesInit;
}

function spelling<T>(from: string, valid: T, valuesOf: (value: T) => ValuesInit): Spelling<T> {
  return { from, valid, valuesOf };
}

interface Instant {
  readonly seconds?: bigint;
  readonly nanos?: number;
}

const int32 = spelling('"int32Value":1', 1, (int32Value) => ({ scalars: { int32Value } }));
const uint32 = spelling('"uint32Value":1', 1, (uint32Value) => ({ scalars: { uint32Value } }));
const int64 = spelling('"int64Value":"1"', 1n, (int64Value) => ({ scalars: { int64Value } }));
const uint64 = spelling('"uint64Value":"1"', 1n, (uint64Value) => ({ scalars: { uint64Value } }));
const double = spelling('"doubleValue":1', 1, (doubleValue) => ({ scalars: { doubleValue } }));
const float = spelling('"floatValue":1', 1, (floatValue) => ({ scalars: { floatValue } }));
const bool = spelling('"boolValue":true', true, (boolValue) => ({ scalars: { boolValue } }));
const text = spelling('"stringValue":"a"', "a", (stringValue) => ({ scalars: { stringValue } }));
const bytes = spelling('"bytesValue":"AQID"', [1, 2, 3], (all) => ({ scalars: { bytesValue: Uint8Array.from(all) } }));
const colour = spelling<Colour>('"colour":"COLOUR_RED"', Colour.RED, (named) => ({ scalars: { colour: named } }));
const time = spelling('"time":"1970-01-01T00:00:00Z"', {}, (at: Instant) => ({ wellKnown: { time: at } }));
const duration = spelling('"duration":"0s"', {}, (length: Instant) => ({ wellKnown: { duration: length } }));
const mask = spelling('"mask":"a"', ["a"], (paths) => ({ wellKnown: { mask: { paths } } }));
const wrapped = spelling('"int64Value":"1"', 1n, (int64Value) => ({ wrappers: { int64Value } }));
const dynamic = spelling('"value":"a"', "a", (value) => ({
  wellKnown: { value: { kind: { case: "stringValue", value } } },
}));
const packed = spelling('"value":"1s"', 1n, (seconds) => ({
  wellKnown: { any: anyPack(DurationSchema, create(DurationSchema, { seconds })) },
}));
const keys = spelling('"largeNumberByNumber":{"1":"1"}', { 1: 1n }, (largeNumberByNumber) => ({
  maps: { largeNumberByNumber },
}));

/** Sends a value in these spellings, and returns what the handler received and the answers. */
async function sent<T>(run: CaseRun, { from, valid, valuesOf }: Spelling<T>, spellings: readonly string[]) {
  const received: (Values | undefined)[] = [];
  const handlers = someHandlersOf(ConformanceService, {
    echo: ({ values: one }) => {
      received.push(one);
      return create(EchoResponseSchema, {});
    },
  });
  const { respelled } = await run.serveConformance(handlers);
  const name = from.slice(0, from.indexOf(":") + 1);
  const respellings = spellings.map((one) => ({ from, to: name + one }));
  const request = create(EchoRequestSchema, { values: valuesOf(valid) });
  return { received, ...(await respelled(respellings, echo, request)) };
}

/** Expects these spellings to be accepted, each with the value that it means. */
function accepts<T>(field: Spelling<T>, spellings: Readonly<Record<string, T>>) {
  return async (run: CaseRun): Promise<void> => {
    const { received, answers } = await sent(run, field, Object.keys(spellings));
    for (const [index, [one, value]] of Object.entries(spellings).entries()) {
      const answer = answers[index];
      expect(answer?.code === "OK", `${one} got ${answer === undefined ? "no answer" : answerText(answer)}`);
      const values = received[index];
      expect(values !== undefined, `${one} was not received`);
      expectMessage(ValuesSchema, values, field.valuesOf(value));
    }
  };
}

/** Expects spellings to be refused as INVALID_ARGUMENT. @param lines of them, separated by a comma and a space */
function refuses<T>(field: Spelling<T>, ...lines: readonly string[]) {
  const spellings = lines.flatMap((line) => line.split(", "));
  return async (run: CaseRun): Promise<void> => {
    const { received, answers, refusals } = await sent(run, field, spellings);
    for (const [index, answer] of answers.entries()) {
      const fault = answerFault(answer, refusals);
      if (fault !== undefined) throw new Error(`${spellings[index]} ${fault}`);
    }
    expect(received.length === 0, `${received.length} were received`);
  };
}

/** The cases RT-16xx. */
export const spellingCases = casesIn("values", ["server", "misuse"], {
  "RT-1601 a 64-bit integer as a number or string, with an exponent or a zero fraction: accepted": accepts(int64, {
    7: 7n,
    "-0": 0n,
    "1e3": 1000n,
    "1000.0": 1000n,
    '"1e3"': 1000n,
    '"1000.0"': 1000n,
    '"-0"': 0n,
    '"9.223372036854775807E+18"': 2n ** 63n - 1n,
    '"-9223372036854775808"': -(2n ** 63n),
  }),
  "RT-1602 a 64-bit integer as a number beyond the precision of a double: accepted": accepts(int64, {
    "9007199254740993": 2n ** 53n + 1n,
    "-9007199254740993.0": -(2n ** 53n) - 1n,
    "9.223372036854775807e18": 2n ** 63n - 1n,
    "123456789012345e4": 1_234_567_890_123_450_000n,
  }),
  "RT-1603 a signed 32-bit integer as a string: accepted": accepts(int32, {
    '"1e5"': 100_000,
    '"100000.0"': 100_000,
    '"100000"': 100_000,
  }),
  "RT-1604 a signed 32-bit integer as a number with an exponent or a zero fraction: accepted": accepts(int32, {
    "1e5": 100_000,
    "100000.000": 100_000,
    "1.0e+5": 100_000,
  }),
  "RT-1605 an unsigned 32-bit integer as a string and as a number: accepted": accepts(uint32, {
    '"4294967295"': 2 ** 32 - 1,
    "4.294967295e9": 2 ** 32 - 1,
    '"4.294967295e9"': 2 ** 32 - 1,
  }),
  "RT-1606 a double as a string: accepted": accepts(double, {
    '"1.5"': 1.5,
    '"-0"': -0,
    '"2.5e-3"': 0.0025,
    '"Infinity"': Infinity,
  }),
  "RT-1607 the largest float with the digits that identify it: accepted": accepts(float, {
    "3.4028235e+38": 3.4028234663852886e38,
  }),
  "RT-1608 bytes in either alphabet of base64, with full padding or none: accepted": accepts(bytes, {
    '"AQI="': [1, 2],
    '"AQI"': [1, 2],
    '"-_"': [251],
    '"+/8="': [251, 255],
    '"-_8"': [251, 255],
  }),
  "RT-1609 a time with an offset, in its whole range: accepted": accepts(time, {
    '"1970-01-01T08:00:01+08:00"': { seconds: 1n },
    '"1970-01-01T00:00:00-11:30"': { seconds: 41_400n },
    '"2000-02-29T00:00:00.5Z"': { seconds: 951_782_400n, nanos: 500_000_000 },
    '"0001-01-01T00:00:00-00:01"': { seconds: -62_135_596_740n },
    '"9999-12-31T23:59:59.999999999Z"': { seconds: 253_402_300_799n, nanos: 999_999_999 },
  }),
  "RT-1610 a duration with up to nine fractional digits: accepted": accepts(duration, {
    '"-0.5s"': { nanos: -500_000_000 },
    '"1.000000001s"': { seconds: 1n, nanos: 1 },
    '"-315576000000.999999999s"': { seconds: -315_576_000_000n, nanos: -999_999_999 },
  }),
  "RT-1611 an enum's value as its number: accepted": accepts(colour, { 2: Colour.GREEN }),
  "RT-1612 a wrapped integer spelled like an unwrapped one: accepted": accepts(wrapped, {
    '"1e3"': 1000n,
    "1000.0": 1000n,
    1000: 1000n,
  }),
  "RT-1621 a string that is not a JSON number, for a 64-bit integer: refused": refuses(
    int64,
    '"0x10", " 5 ", "+1", "01", "", "1_0", "0.5", "1e99", "Infinity", true, 0.5',
  ),
  "RT-1622 a 64-bit integer out of range: refused": refuses(
    int64,
    '"9223372036854775808", 9223372036854775808, "-9223372036854775809", 1e19',
  ),
  "RT-1623 an unsigned 64-bit integer out of range, or not a number: refused": refuses(
    uint64,
    '"18446744073709551616", "-1", -1, "0x10", "1e536870000"',
  ),
  "RT-1624 an invalid 32-bit integer: refused": refuses(
    int32,
    '"0x10", " 1", "1 ", "12abc", "", 0.5, 2147483648, true, [1]',
  ),
  "RT-1625 an invalid unsigned 32-bit integer: refused": refuses(uint32, '4294967296, -1, "-1", "0x10", " 1", 0.5'),
  "RT-1626 an invalid double: refused": refuses(
    double,
    '"0x10", " 1", "+1", "", ".5", "1e999", 1e999, "inf", "nan", true',
  ),
  "RT-1627 an invalid float: refused": refuses(float, '3.5e38, "3.5e38", "0x1", ""'),
  "RT-1628 an invalid boolean: refused": refuses(bool, '"true", 1, 0, "false"'),
  "RT-1629 an invalid string: refused": refuses(text, "12345, 12345678901234567890, true, {}"),
  "RT-1630 invalid base64: refused": refuses(bytes, '"==", "A B C", "A", "AQ=", "AQI==", "AQ==AQ==", "*", 1'),
  "RT-1631 a time with a day or hour that does not exist: refused": refuses(
    time,
    '"2026-02-30T00:00:00Z", "2001-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "1970-13-01T00:00:00Z"',
    '"1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:60Z", "1970-01-01T00:00:00+24:00"',
  ),
  "RT-1632 a time that is not valid in RFC 3339 and ProtoJSON: refused": refuses(
    time,
    '"1970-01-01T00:00:00z", "1970-01-01t00:00:00Z", "1970-01-01 00:00:00Z", "1970-01-01T00:00:00"',
    '"1970-01-01T00:00:00.1234567890Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59-00:01", 0',
  ),
  "RT-1633 an invalid or too long duration: refused": refuses(
    duration,
    '"1", "1s ", "1sx", "+1s", ".5s", "1.s", "1.0000000000s", "315576000001s", 1',
  ),
  "RT-1634 a mask that is not in camel case: refused": refuses(mask, '"a,b_c", ["a"]'),
  "RT-1635 an unknown enum value: refused": refuses(colour, '"NONE", 0.5, true, ["RED"]'),
  "RT-1636 half a surrogate pair in any JSON: refused": refuses(dynamic, String.raw`"\ud800", {"\udc00":1}`),
  "RT-1637 a wrong value in an Any: refused": refuses(packed, '"1", "1sx", "1s","more":1'),
  "RT-1638 map keys that are not integers, or duplicate: refused": refuses(
    keys,
    '{"0x1":"1"}, {" 1":"1"}, {"1.0":"1"}, {"":"1"}, {"0":"1","-0":"1"}, {"1":null}, {"2147483648":"1"}',
  ),
  "RT-1639 an invalid wrapped integer: refused": refuses(wrapped, '"0x10", " 5", "", 0.5'),
  "RT-1640 a fraction that a double rounds to a 64-bit integer: refused": refuses(
    int64,
    "1.00000000000000000001, -1e-999",
  ),
});
