// Patterns for numbers of 64 bits match the texts of all numbers within their bounds, and of no others.
import { describe, expect, it } from "vitest";
import { integerPattern } from "../src/validation/integer-pattern.ts";

const most64 = 2n ** 64n - 1n;
const bounds = [
  -(2n ** 63n),
  -1_000n,
  -999n,
  -100n,
  -17n,
  -10n,
  -9n,
  -1n,
  0n,
  1n,
  7n,
  9n,
  10n,
  11n,
  42n,
  99n,
  100n,
  101n,
  109n,
  190n,
  999n,
  1_000n,
  8_999_999_999_999n,
  most64,
];
const near = [
  ...new Set([...bounds, ...bounds.flatMap((bound) => [bound - 1n, bound + 1n, bound * 10n, bound / 10n])]),
];

/** The texts about which the pattern is wrong. */
function wrongAbout(pattern: string, isWithin: (number: bigint) => boolean): readonly string[] {
  const matches = new RegExp(pattern, "u");
  const texts = ["", "-", "x", "1.5", "1 ", "01", " 7", "+7", "7\n"];
  return [
    ...near.filter((number) => matches.test(String(number)) !== isWithin(number)).map(String),
    ...texts.filter((text) => matches.test(text)),
  ];
}

describe("the pattern of a range", () => {
  it.each(bounds)("from %s to any bound above", (least) => {
    const wrong = bounds
      .filter((bound) => bound >= least)
      .flatMap((most) => wrongAbout(integerPattern([least, most]), (number) => number >= least && number <= most));
    expect(wrong).toEqual([]);
  });

  it.each(bounds)("with %s as its only bound, or outside", (bound) => {
    expect(wrongAbout(integerPattern([bound, undefined]), (number) => number >= bound)).toEqual([]);
    expect(wrongAbout(integerPattern([undefined, bound]), (number) => number <= bound)).toEqual([]);
    const outside = integerPattern([undefined, bound - 3n], [bound, undefined]);
    expect(wrongAbout(outside, (number) => number <= bound - 3n || number >= bound)).toEqual([]);
  });

  it.each<readonly [least: bigint | undefined, most: bigint | undefined, pattern: string]>([
    [0n, undefined, String.raw`^(?:0|[1-9]\d*)$`],
    [1n, undefined, String.raw`^[1-9]\d*$`],
    [10n, 99n, String.raw`^[1-9]\d$`],
    [0n, 9n, String.raw`^(?:0|[1-9])$`],
    [undefined, -1n, String.raw`^-[1-9]\d*$`],
    [1_000n, undefined, String.raw`^[1-9]\d{3,}$`],
  ])("from %s to %s is short", (least, most, pattern) => {
    expect(integerPattern([least, most])).toBe(pattern);
  });
});
