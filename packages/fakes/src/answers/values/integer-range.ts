// The ranges of numbers and times that rules allow and that names of fields suggest.

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
    .map((range) => ({
      low: range.low < type.low ? type.low : range.low,
      high: range.high > type.high ? type.high : range.high,
    }))
    .filter((range) => range.low <= range.high);
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

const nsPerMs = 1_000_000n;

function span(from: string, to: string): IntegerRange {
  return { low: BigInt(Date.parse(from)) * nsPerMs, high: BigInt(Date.parse(to)) * nsPerMs };
}

/** When things come into being. */
export const creations: IntegerRange = span("2023-01-01", "2023-12-31");

const spans: readonly (readonly [names: RegExp, when: IntegerRange])[] = [
  [/birth|born/, span("1950-01-01", "2005-12-31")],
  [/expir|due|valid_?(?:until|to)|not_after|next|renew|deadline|purge/, span("2040-01-01", "2040-12-31")],
  [/delet|destroy|remov|cancel|archiv|revok|retir|terminat/, span("2024-10-01", "2024-12-31")],
  [/updat|modif|chang|edit|seen|login|last/, span("2024-07-01", "2024-09-30")],
  [/creat|regist|join|open|first|publish|issue|submit|insert/, creations],
  [/start|begin|began|from|since|launch/, span("2024-01-01", "2024-03-31")],
  [/(?:^|_)end|finish|complet|until|stop|clos/, span("2024-04-01", "2024-06-30")],
];

/** The likely times of a field without a known event. */
export const usualTimes: IntegerRange = span("2024-01-01", "2024-12-31");

/** Whether the event of a time is known from the name of its field. @param name in snake_case */
export function isEvent(name: string): boolean {
  return spans.some(([names]) => names.test(name));
}

/** The likely times of a field, in nanoseconds since 1970. @param name in snake_case */
export function likelyTimes(name: string): IntegerRange {
  return spans.find(([names]) => names.test(name))?.[1] ?? usualTimes;
}
