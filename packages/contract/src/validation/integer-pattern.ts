// Regular expressions for whole numbers within bounds: JSON has text for numbers of 64 bits, to which the bounds of JSON Schema do not apply.

function digits(count: number): string {
  return count === 0 ? "" : count === 1 ? String.raw`\d` : String.raw`\d{${count}}`;
}

/** One digit from `low` to `high`; undefined if there is none. */
function oneOf(low: number, high: number): string | undefined {
  if (low > high) return undefined;
  if (low === 0 && high === 9) return String.raw`\d`;
  return low === high ? String(low) : `[${low}-${high}]`;
}

/** Texts of as many digits as both bounds have. Undefined bounds are those of the digits themselves. */
function sameLength(low: string | undefined, high: string | undefined, length: number): readonly string[] {
  const isAll = (low === undefined || /^0*$/.test(low)) && (high === undefined || /^9*$/.test(high));
  if (isAll) return [digits(length)];
  const [first, last] = [Number(low?.[0] ?? 0), Number(high?.[0] ?? 9)];
  const [lowRest, highRest] = [low?.slice(1), high?.slice(1)];
  if (first === last) return sameLength(lowRest, highRest, length - 1).map((rest) => `${first}${rest}`);
  // What begins with a bound's own digit is complete where all may follow.
  const isLowPart = lowRest !== undefined && !/^0*$/.test(lowRest);
  const isHighPart = highRest !== undefined && !/^9*$/.test(highRest);
  const between = oneOf(isLowPart ? first + 1 : first, isHighPart ? last - 1 : last);
  return [
    ...(isLowPart ? sameLength(lowRest, undefined, length - 1).map((rest) => `${first}${rest}`) : []),
    ...(between === undefined ? [] : [`${between}${digits(length - 1)}`]),
    ...(isHighPart ? sameLength(undefined, highRest, length - 1).map((rest) => `${last}${rest}`) : []),
  ];
}

/** Numbers from `least`, at least 0, to `most`; to any without it. */
function naturals(least: bigint, most: bigint | undefined): readonly string[] {
  if (most !== undefined && most < least) return [];
  if (least === 0n) return ["0", ...naturals(1n, most)];
  const [low, high] = [String(least), most === undefined ? undefined : String(most)];
  if (high?.length === low.length) return sameLength(low, high, low.length);
  const isWhole = /^10*$/.test(low);
  const from = low.length - (isWhole ? 1 : 0);
  const ofLow = isWhole ? [] : sameLength(low, "9".repeat(low.length), low.length);
  if (high === undefined) {
    const more = from === 0 ? String.raw`\d*` : from === 1 ? String.raw`\d+` : String.raw`\d{${from},}`;
    return [...ofLow, `[1-9]${more}`];
  }
  const to = high.length - 2;
  const between = from > to ? [] : [`[1-9]${from === to ? digits(from) : String.raw`\d{${from},${to}}`}`];
  return [...ofLow, ...between, ...sameLength(`1${"0".repeat(high.length - 1)}`, high, high.length)];
}

/** The alternatives for numbers within bounds, each of which may be missing. */
function within(least: bigint | undefined, most: bigint | undefined): readonly string[] {
  const negatives =
    least === undefined || least < 0n
      ? naturals(most === undefined || most >= 0n ? 1n : -most, least === undefined ? undefined : -least)
      : [];
  const rest = most === undefined || most >= 0n ? naturals(least === undefined || least < 0n ? 0n : least, most) : [];
  return [...negatives.map((text) => `-${text}`), ...rest];
}

/** A pattern for whole numbers in one of these ranges, whose bounds are included and may be missing. */
export function integerPattern(
  ...ranges: readonly (readonly [least: bigint | undefined, most: bigint | undefined])[]
): string {
  const texts = [...new Set(ranges.flatMap(([least, most]) => within(least, most)))];
  return texts.length === 1 ? `^${texts[0]}$` : `^(?:${texts.join("|")})$`;
}
