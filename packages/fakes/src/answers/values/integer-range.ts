// The ranges of numbers and times that rules allow: one interval, or two if the middle is excluded.

/** Both ends included. */
export interface IntegerRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** Ordering rules, as all types of buf.validate's rules have them. */
export interface Bounds {
  readonly above: { readonly value: bigint; readonly included: boolean } | undefined;
  readonly below: { readonly value: bigint; readonly included: boolean } | undefined;
}

/** At least one interval that the rules and the type allow; two if the rules exclude the middle. */
export function rangesOf({ above, below }: Bounds, type: IntegerRange): readonly IntegerRange[] {
  const low = above === undefined ? type.low : above.value + (above.included ? 0n : 1n);
  const high = below === undefined ? type.high : below.value - (below.included ? 0n : 1n);
  // Bounds that exclude each other mean the values outside them.
  const isOutside = above !== undefined && below !== undefined && below.value < above.value;
  const all = isOutside
    ? [
        { low, high: type.high },
        { low: type.low, high },
      ]
    : [{ low, high }];
  const fit = all
    .map((one) => ({ low: one.low < type.low ? type.low : one.low, high: one.high > type.high ? type.high : one.high }))
    .filter((one) => one.low <= one.high);
  return fit.length > 0 ? fit : [type];
}

/** The part of an interval with small, readable numbers. */
export function near({ low, high }: IntegerRange, width: bigint): IntegerRange {
  if (high - low <= width) return { low, high };
  if (low >= 0n) return { low, high: low + width };
  if (high <= 0n) return { low: high - width, high };
  const from = low > -width ? low : 0n;
  return { low: from, high: from + width > high ? high : from + width };
}
