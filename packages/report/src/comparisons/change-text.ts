// A change from base to head as text: a signed percentage, or a multiple from doubling on.
import type { ComparedCell } from "@roundtrip/analysis";
import { absent } from "../basics/quantity.ts";

const doubled = 2;

/** One decimal below ten per cent. */
function digitsFor(...ratios: readonly number[]): number {
  return ratios.every((ratio) => Math.abs(100 * (ratio - 1)) < 9.95) ? 1 : 0;
}

function percent(ratio: number, digits: number): string {
  const value = 100 * (ratio - 1);
  const size = Math.abs(value).toFixed(digits);
  // Zero has no sign.
  return `${Number(size) === 0 ? "" : value < 0 ? "−" : "+"}${size}`;
}

function multipleText(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}×`;
}

/** `+8.1 %`, `−12 %`, `2.31×`. @param ratio head over base. */
export function changeText(ratio: number): string {
  return ratio >= doubled ? multipleText(ratio) : `${percent(ratio, digitsFor(ratio))} %`;
}

/** `+5.2 to +8.1 %`, `2.10 to 2.54×`, `+80 % to 2.10×`; `at most +3.1 %` where only that end is known. */
export function changeRange(low: number | null, high: number | null): string {
  if (low === null && high === null) return absent;
  if (low === null) return `at most ${changeText(high ?? 1)}`;
  if (high === null) return `at least ${changeText(low)}`;
  if (low >= doubled) return `${multipleText(low).slice(0, -1)} to ${multipleText(high)}`;
  if (high >= doubled) return `${changeText(low)} to ${changeText(high)}`;
  const digits = digitsFor(low, high);
  return `${percent(low, digits)} to ${percent(high, digits)} %`;
}

/** A share without a sign, as settings are printed: `2 %`, `0.5 %`. */
export function shareText(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

/** The largest plausible loss of a cell: the bound behind a PASS, or else the end of its interval. */
export function mostLost({ atMost, high }: Pick<ComparedCell, "atMost" | "high">): number | null {
  return atMost ?? high;
}
