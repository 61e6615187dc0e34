// Which numbers and times rules allow: a range, or what lies on either side of one.

/** Both ends included. */
export interface IntegerRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** Rules about an order, as all of buf.validate's have them. */
export interface Bounds {
  readonly above: { readonly value: bigint; readonly included: boolean } | undefined;
  readonly below: { readonly value: bigint; readonly included: boolean } | undefined;
}

/** What keeps the rules, within what the type can hold: one interval, two where the rules mean what is outside; at least one. */
export function rangesOf({ above, below }: Bounds, type: IntegerRange): readonly IntegerRange[] {
  const low = above === undefined ? type.low : above.value + (above.included ? 0n : 1n);
  const high = below === undefined ? type.high : below.value - (below.included ? 0n : 1n);
  // Bounds that exclude each other mean what lies outside of them.
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

/** The part of an interval where numbers are small: nobody wants to read the others. */
export function near({ low, high }: IntegerRange, width: bigint): IntegerRange {
  if (high - low <= width) return { low, high };
  if (low >= 0n) return { low, high: low + width };
  if (high <= 0n) return { low: high - width, high };
  const from = low > -width ? low : 0n;
  return { low: from, high: from + width > high ? high : from + width };
}
