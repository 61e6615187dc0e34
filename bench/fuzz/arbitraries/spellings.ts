// Texts that look like values: numbers, times, durations and bytes as JSON may spell them, and as it nearly does.
import * as fc from "fast-check";

/** Where a value stands in the conformance service's values: the field, and the message that has it. */
export type SpelledField =
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

/** One value to send. */
export interface Spelled {
  readonly field: SpelledField;
  readonly text: string;
  /** Whether the text is a string of JSON; it is written as it is otherwise, be it JSON or not. */
  readonly isText: boolean;
}

const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,14})$/);
const manyDigits = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String);
const zeros = fc.stringMatching(/^0{1,4}$/);
const exponent = fc.integer({ min: -25, max: 25 }).map((power) => `e${power}`);

/** Numbers of JSON. As many digits as a double keeps where they are not an integer's: JSON's numbers are doubles but for those. */
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

/** The same text, mostly; else one with a letter more, fewer or other. */
function nearly(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat({ max: 30 }),
    removed: fc.nat({ max: 1 }),
    added: fc.constantFrom("", " ", "+", "-", "0", "x", "e", ".", "_", "=", "\n", "z", "\u0661", "n"),
  });
  const changed = fc.tuple(texts, change).map(([text, { at, removed, added }]) => {
    const place = Math.min(at, text.length);
    return text.slice(0, place) + added + text.slice(place + removed);
  });
  return fc.oneof({ weight: 2, arbitrary: texts }, { weight: 1, arbitrary: changed });
}

function spelledIn(fields: readonly SpelledField[], texts: fc.Arbitrary<string>, isText: fc.Arbitrary<boolean>) {
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

/** Values of every kind that has a spelling of its own. */
export const spelled: fc.Arbitrary<Spelled> = fc.oneof(
  { weight: 4, arbitrary: spelledIn(numberFields, numbers, fc.boolean()) },
  { weight: 2, arbitrary: spelledIn(["wellKnown.time"], times, fc.constant(true)) },
  { weight: 1, arbitrary: spelledIn(["wellKnown.duration"], durations, fc.constant(true)) },
  { weight: 1, arbitrary: spelledIn(["scalars.bytesValue"], bytes, fc.constant(true)) },
);
