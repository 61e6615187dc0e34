// Texts that look like values: numbers, times, durations and bytes in valid and nearly valid JSON spellings.
import * as fc from "fast-check";

/** The path of a value in the conformance service: the message and its field. */
export type RawValueField =
  | "scalars.int32Value"
  | "scalars.uint32Value"
  | "scalars.int64Value"
  | "scalars.uint64Value"
  | "scalars.doubleValue"
  | "scalars.floatValue"
  | "scalars.bytesValue"
  | "wrappers.int64Value"
  | "wellKnown.time"
  | "wellKnown.duration";

export interface RawValue {
  readonly field: RawValueField;
  readonly text: string;
  /** Whether the text is sent as a JSON string; otherwise it is sent raw, whether valid JSON or not. */
  readonly isText: boolean;
}

const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,14})$/);
const manyDigits = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String);
const zeros = fc.stringMatching(/^0{1,4}$/);
const exponent = fc.integer({ min: -25, max: 25 }).map((power) => `e${power}`);

/** JSON numbers. Non-integers have no more digits than a double keeps, because JSON numbers other than integers are doubles. */
const numbers = fc.oneof(
  fc.tuple(fc.constantFrom("", "-"), digits).map((parts) => parts.join("")),
  manyDigits,
  fc.tuple(manyDigits, zeros).map((parts) => parts.join(".")),
  fc
    .tuple(
      fc.constantFrom("", "-"),
      fc.stringMatching(/^(?:0|[1-9]\d{0,5})$/),
      fc.stringMatching(/^\d{1,6}$/),
      exponent,
    )
    .map(([sign, whole, fraction, power]) => `${sign}${whole}.${fraction}${power}`),
  fc.tuple(digits, exponent).map((parts) => parts.join("")),
  fc.constantFrom(
    "NaN",
    "Infinity",
    "-Infinity",
    "-0",
    "",
    "0x10",
    "+1",
    "01",
    ".5",
    "1.",
    "1e999",
    "3.4028235e38",
    "3.5e38",
  ),
);

function twoDigits(most: number): fc.Arbitrary<string> {
  return fc.nat({ max: most }).map((value) => String(value).padStart(2, "0"));
}

const years = fc.oneof(fc.constantFrom("0000", "0001", "1900", "2000", "2026", "9999"), fc.stringMatching(/^\d{4}$/));
const fractions = fc.oneof(fc.constant(""), fc.stringMatching(/^\.\d{1,10}$/));
const zones = fc.oneof(
  fc.constant("Z"),
  fc
    .tuple(fc.constantFrom("+", "-"), twoDigits(25), twoDigits(61))
    .map(([sign, hour, minute]) => `${sign}${hour}:${minute}`),
);

const times = fc
  .tuple(years, twoDigits(13), twoDigits(32), twoDigits(24), twoDigits(60), twoDigits(60), fractions, zones)
  .map(
    ([year, month, day, hour, minute, second, fraction, zone]) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`,
  );

const durations = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(fc.constantFrom("0", "315576000000", "315576000001"), digits),
    fc.oneof(fc.constant(""), fc.stringMatching(/^\.(?:\d{1,10}|0{1,9})$/)),
  )
  .map(([sign, seconds, fraction]) => `${sign}${seconds}${fraction}s`);

const bytes = fc.oneof(fc.base64String({ maxLength: 12 }), fc.stringMatching(/^[A-Za-z0-9+/_-]{0,9}={0,3}$/));

/** Usually the same text, otherwise one with a character added, removed or replaced. */
function nearly(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat({ max: 30 }),
    removed: fc.nat({ max: 1 }),
    added: fc.constantFrom("", " ", "+", "-", "0", "x", "e", ".", "_", "=", "\n", "z", "\u0661", "n"),
  });
  const changed = fc.tuple(texts, change).map(([text, { at, removed, added }]) => {
    const position = Math.min(at, text.length);
    return text.slice(0, position) + added + text.slice(position + removed);
  });
  return fc.oneof({ weight: 2, arbitrary: texts }, { weight: 1, arbitrary: changed });
}

function spelledIn(fields: readonly RawValueField[], texts: fc.Arbitrary<string>, isText: fc.Arbitrary<boolean>) {
  return fc.record({ field: fc.constantFrom(...fields), text: nearly(texts), isText });
}

const numberFields = [
  "scalars.int32Value",
  "scalars.uint32Value",
  "scalars.int64Value",
  "scalars.uint64Value",
  "scalars.doubleValue",
  "scalars.floatValue",
  "wrappers.int64Value",
] as const;

/** Values of every kind with more than one spelling. */
export const spelled: fc.Arbitrary<RawValue> = fc.oneof(
  { weight: 4, arbitrary: spelledIn(numberFields, numbers, fc.boolean()) },
  { weight: 2, arbitrary: spelledIn(["wellKnown.time"], times, fc.constant(true)) },
  { weight: 1, arbitrary: spelledIn(["wellKnown.duration"], durations, fc.constant(true)) },
  { weight: 1, arbitrary: spelledIn(["scalars.bytesValue"], bytes, fc.constant(true)) },
);
