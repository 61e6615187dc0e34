// Ratios in sentences, each with its interval: a ratio that its interval does not carry is not printed.
import { counted, ratioText, type Ratio } from "@roundtrip/analysis";

export type ShownRatio = Pick<Ratio, "ratio" | "low" | "high" | "rounds" | "basis">;

/** A figure whose interval is wider than this says nothing that a reader can use. */
const widest = 4;

export function isTooWide({ low, high }: Pick<Ratio, "low" | "high">): boolean {
  return low !== null && high !== null && high > widest * low;
}

/** `4.24 to 7.48`; with its assumption if it rests on few rounds, or the reason without an interval. */
function intervalText({ low, high, rounds, basis }: ShownRatio): string {
  if (low === null || high === null) return `no interval from ${counted(rounds, "round")}`;
  const assumed = basis === "student-t" ? `, assuming normal noise` : "";
  return `${ratioText(low)} to ${ratioText(high)}${assumed}`;
}

/** `5.63 × (4.24 to 7.48)`, and `at least 1.98 ×` or `at most 0.5 ×` where the interval is too wide for a figure. */
export function timesText(ratio: ShownRatio): string {
  const { low, high } = ratio;
  if (low !== null && high !== null && isTooWide(ratio)) {
    if (low > 1) return `at least ${ratioText(low)} ×`;
    if (high < 1) return `at most ${ratioText(high)} ×`;
    return `unclear: ${rangeText(low, high)}`;
  }
  return `${ratioText(ratio.ratio)} × (${intervalText(ratio)})`;
}

function sideText(ratio: number): string {
  const [size, word] = ratio < 1 ? [1 / ratio, "faster"] : [ratio, "slower"];
  if (size < 1.995) {
    const percent = Math.round(100 * (ratio < 1 ? 1 - ratio : ratio - 1));
    return percent === 0 ? "as fast" : `${percent} % ${word}`;
  }
  return `${size < 10 ? size.toPrecision(2) : ratioText(Math.round(size))} times ${word}`;
}

/** What remains possible: `anything from 37 times faster to 4.5 times slower`. */
export function rangeText(low: number, high: number): string {
  return `anything from ${sideText(low)} to ${sideText(high)}`;
}

/** `cannot tell: anything from 5 % faster to 12 % slower`, or why there is no range. */
export function undecidedText({ low, high, rounds }: ShownRatio): string {
  if (low === null || high === null) return `cannot tell from ${counted(rounds, "round")}`;
  return `cannot tell: ${rangeText(low, high)}`;
}
