// Makes numbers of every type that obey the rules of their field.
import { ScalarType } from "@bufbuild/protobuf";
import type {
  DoubleRules,
  FieldRules,
  FloatRules,
  Int64Rules,
  Int32Rules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Draw, Purpose } from "../draw.ts";
import { type Bounds, type IntegerRange, isEvent, likelyTimes, near, rangesOf } from "./integer-range.ts";

/** Makes a number; a whole one unless the type has fractions. */
type MakeNumber = (draw: Draw) => number;

type Row = readonly [names: RegExp, make: MakeNumber];

const between =
  (low: number, high: number): MakeNumber =>
  (draw) =>
    draw.int(low, high);

/** Hundredths between two whole numbers. */
const hundredths =
  (low: number, high: number): MakeNumber =>
  (draw) =>
    draw.int(low * 100, high * 100) / 100;

const rows: readonly Row[] = [
  [/lat(?:itude)?$/, (draw) => draw.int(-8_500_000, 8_500_000) / 100_000],
  [/(?:lng|lon|long|longitude)$/, (draw) => draw.int(-18_000_000, 17_999_999) / 100_000],
  [/(?:_ms|_millis|milliseconds)$/, between(1, 5_000)],
  [/(?:_seconds|_secs|_ttl|^ttl|timeout)$|elapsed|duration|latency|uptime/, between(1, 3_600)],
  [/nanos$/, (draw) => draw.int(0, 99) * 10_000_000],
  [/(?:^|_)age$/, between(18, 90)],
  [/(?:exp|valid).*year$/, between(2040, 2045)],
  [/year$/, between(1990, 2025)],
  [/month$/, between(1, 12)],
  [/day(?:_of_month)?$/, between(1, 28)],
  [/hours?$/, between(0, 23)],
  [/(?:minutes?|seconds?)$/, between(0, 59)],
  [/port$/, between(1_024, 65_535)],
  [/^(?:http_?status(?:_?code)?|response_?code|status_?code)$/, () => 200],
  // What a fake has begun has ended.
  [/progress_?percent|percent_?(?:complete|done)/, () => 100],
  [/percent/, between(0, 100)],
  [/(?:^|_)(?:rate|ratio|share|score|probability|confidence|progress)$/, hundredths(0, 1)],
  [/(?:^|_)(?:rating|stars)/, (draw) => draw.int(10, 50) / 10],
  [/price|amount|cost|total_?(?:price|amount)|balance|salary|fee|tax|discount/, hundredths(1, 999)],
  [/bytes|(?:^|_)size$|length/, between(1, 1_048_576)],
  [
    /(?:^|_)(?:renewals?|retries|attempts?|beds|(?:bed|bath)?rooms|floors?|guests|adults|children|nights|doors|parking_spaces|copies)$/,
    between(1, 6),
  ],
  [/count|quantity|qty|total|stock|number_of|^num_|items|pages/, between(1, 100)],
  [/width|height|depth/, between(1, 2_000)],
  [/weight|distance|temperature|volume|speed/, hundredths(1, 100)],
  [/version|revision|generation/, between(1, 9)],
  [/(?:index|position|rank|order|priority|level)$/, between(1, 10)],
];

/** How many nanoseconds the unit of a time has, by the end of its field's name; seconds without one. */
const timeUnits: readonly (readonly [names: RegExp, ns: bigint])[] = [
  [/_(?:ms|millis|milliseconds)$/, 1_000_000n],
  [/_(?:us|usecs?|micros|microseconds)$/, 1_000n],
  [/_(?:ns|nanos|nanoseconds)$/, 1n],
];

const times = /(?:_time|_at|timestamp|_date)$/;
const timesInUnits =
  /(?:_time|_at|timestamp|_date)_(?:s|secs|seconds|unix|ms|millis|milliseconds|us|usecs?|micros|microseconds|ns)$/;
const notTimes = /elapsed|duration|latency|uptime|timeout/;

/** `create_time_ms` is a time, `processing_time_ms` is not. */
function isTime(name: string): boolean {
  if (notTimes.test(name)) return false;
  return times.test(name) || (timesInUnits.test(name) && (isEvent(name) || /timestamp|_at_/.test(name)));
}

/** A time since 1970 in the unit of the field's name. Numbers in JavaScript hold nanoseconds of today to a fraction of a microsecond. */
function timeNumber(name: string): MakeNumber {
  const { low, high } = likelyTimes(name);
  const unit = timeUnits.find(([names]) => names.test(name))?.[1] ?? 1_000_000_000n;
  return (draw) => Number(draw.bigint(low, high) / unit);
}

/** @param name the name of the field, in snake_case */
function numberByName(name: string): MakeNumber {
  if (isTime(name)) return timeNumber(name);
  return rows.find(([names]) => names.test(name))?.[1] ?? between(1, 1_000);
}

type IntegerRules = Pick<Int32Rules | Int64Rules, "const" | "in" | "notIn" | "example" | "lessThan" | "greaterThan">;
type FractionRules = DoubleRules | FloatRules;

const signed32: IntegerRange = { low: -(2n ** 31n), high: 2n ** 31n - 1n };
const unsigned32: IntegerRange = { low: 0n, high: 2n ** 32n - 1n };
const signed64: IntegerRange = { low: -(2n ** 63n), high: 2n ** 63n - 1n };
const unsigned64: IntegerRange = { low: 0n, high: 2n ** 64n - 1n };

/** The range of an integer type; undefined for other types. */
export function integerRange(type: ScalarType): IntegerRange | undefined {
  switch (type) {
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return signed32;
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return unsigned32;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return signed64;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return unsigned64;
    default:
      return undefined;
  }
}

function boundsOf({ lessThan, greaterThan }: IntegerRules): Bounds {
  return {
    above:
      greaterThan.case === undefined
        ? undefined
        : { value: BigInt(greaterThan.value), included: greaterThan.case === "gte" },
    below:
      lessThan.case === undefined ? undefined : { value: BigInt(lessThan.value), included: lessThan.case === "lte" },
  };
}

/** Whether an integer obeys the rules, apart from being required. */
export function integerFits(type: IntegerRange, rules: FieldRules["type"]["value"]): (value: bigint) => boolean {
  const declared = rules as IntegerRules | undefined;
  if (declared === undefined) return () => true;
  const excluded = new Set<bigint>(declared.notIn.map(BigInt));
  const among = Object.hasOwn(declared, "const") ? [declared.const] : declared.in;
  const only = new Set<bigint>(among.map(BigInt));
  const intervals = rangesOf(boundsOf(declared), type);
  return (value) =>
    !excluded.has(value) &&
    (only.size === 0 || only.has(value)) &&
    intervals.some(({ low, high }) => value >= low && value <= high);
}

const tries = 20;
const usualWidth = 1_000n;

/** A maker of integers for a field: bigints if they have 64 bits. @param isRequired excludes zero */
export function integerValue(
  { name }: Purpose,
  type: IntegerRange,
  rules: FieldRules["type"]["value"],
  isRequired: boolean,
): (draw: Draw) => number | bigint {
  const isWide = type.high > unsigned32.high;
  const spelled = (value: bigint | number): number | bigint => (isWide ? BigInt(value) : Number(value));
  const declared = rules as IntegerRules | undefined;
  if (declared !== undefined && Object.hasOwn(declared, "const")) return () => declared.const;
  const excluded = new Set<bigint>((declared?.notIn ?? []).map(BigInt));
  if (isRequired) excluded.add(0n);
  const among = declared === undefined || declared.in.length === 0 ? (declared?.example ?? []) : declared.in;
  const choices = among.filter((value) => !excluded.has(BigInt(value)));
  if (choices.length > 0) return (draw) => draw.pick(choices);
  const byName = numberByName(name);
  const intervals = rangesOf(
    declared === undefined ? { above: undefined, below: undefined } : boundsOf(declared),
    type,
  );
  const isAllowed = integerFits(type, rules);
  const fits = (value: bigint): boolean => !excluded.has(value) && isAllowed(value);
  return (draw) => {
    const likely = BigInt(Math.round(byName(draw)));
    if (fits(likely)) return spelled(likely);
    let value = 0n;
    for (let attempt = 0; attempt < tries; attempt++) {
      const { low, high } = near(draw.pick(intervals), usualWidth);
      value = draw.bigint(low, high);
      if (fits(value)) break;
    }
    return spelled(value);
  };
}

/** Whether a fraction obeys the bounds of its rules. */
export function fractionFits(rules: FieldRules["type"]["value"]): (value: number) => boolean {
  const { greaterThan, lessThan } = (rules ?? {}) as Partial<FractionRules>;
  const isAbove = (value: number): boolean =>
    greaterThan?.case === undefined ||
    (greaterThan.case === "gt" ? value > greaterThan.value : value >= greaterThan.value);
  const isBelow = (value: number): boolean =>
    lessThan?.case === undefined || (lessThan.case === "lt" ? value < lessThan.value : value <= lessThan.value);
  // Bounds that exclude each other mean the values outside them.
  const isOutside = (lessThan?.value ?? Infinity) < (greaterThan?.value ?? -Infinity);
  return (value) => (isOutside ? isAbove(value) || isBelow(value) : isAbove(value) && isBelow(value));
}

export function fractionValue(
  { name }: Purpose,
  type: ScalarType.FLOAT | ScalarType.DOUBLE,
  rules: FieldRules["type"]["value"],
  isRequired: boolean,
): (draw: Draw) => number {
  const rounded = type === ScalarType.FLOAT ? Math.fround : (value: number) => value;
  const declared = rules as FractionRules | undefined;
  if (declared !== undefined && Object.hasOwn(declared, "const")) return () => declared.const;
  const excluded = new Set(declared?.notIn);
  if (isRequired) excluded.add(0);
  const among = declared === undefined || declared.in.length === 0 ? (declared?.example ?? []) : declared.in;
  const choices = among.filter((value) => !excluded.has(value));
  if (choices.length > 0) return (draw) => draw.pick(choices);
  const { greaterThan = { case: undefined, value: undefined }, lessThan = { case: undefined, value: undefined } } =
    declared ?? {};
  const { value: low = Math.min(0, (lessThan.value ?? 1_000) - 1_000) } = greaterThan;
  const { value: high = Math.max(1_000, low + 1_000) } = lessThan;
  // Bounds that exclude each other mean the values outside them.
  const isOutside = greaterThan.case !== undefined && lessThan.case !== undefined && high < low;
  const isWithin = fractionFits(rules);
  const fits = (value: number): boolean => Number.isFinite(value) && !excluded.has(value) && isWithin(value);
  const byName = numberByName(name);
  return (draw) => {
    let value = rounded(byName(draw));
    for (let attempt = 0; attempt < tries && !fits(value); attempt++) {
      const part = draw.fraction();
      const raw = isOutside ? low + part * 1_000 : low + part * (high - low);
      const readable = rounded(Math.round(raw * 100) / 100);
      value = fits(readable) ? readable : rounded(raw);
    }
    return fits(value) ? value : rounded(isOutside || greaterThan.case === "gte" ? low : high);
  };
}
