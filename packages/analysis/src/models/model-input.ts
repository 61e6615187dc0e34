// What a model may be asked: numbers in a range that floating point carries through every formula, and loads that have a steady state.
import { AnalysisError } from "../basics/analysis-error.ts";
import { counted, threeDigits } from "../basics/words.ts";

/** Rates, times and ratios in this range keep every formula finite. */
const least = 1e-9;
const most = 1e12;

/** Throws `bad-option` unless `value` is a positive number; `name` is how the caller calls it. */
export function requirePositive(name: string, value: number): void {
  if (value >= least && value <= most) return;
  throw new AnalysisError("bad-option", `${name} is ${value}; it must be a number above 0, from ${least} to ${most}`);
}

/** Throws `bad-option` unless `value` is zero or a positive number. */
export function requireZeroOrPositive(name: string, value: number): void {
  if (value === 0 || (value >= least && value <= most)) return;
  throw new AnalysisError("bad-option", `${name} is ${value}; it must be 0 or a number above 0, up to ${most}`);
}

/** Throws `bad-option` unless `value` is a whole number in the range. */
export function requireWhole(name: string, value: number, low: number, high: number): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new AnalysisError("bad-option", `${name} is ${value}; it must be a whole number from ${low} to ${high}`);
}

/** The arrivals per second that `servers` can just not carry for ever. */
export function capacityHz(serviceMs: number, servers: number): number {
  return (1_000 * servers) / serviceMs;
}

/** The share of their time that the servers are busy. Throws `unstable-load` when it is not below 1: then the queue grows without end. */
export function stableUtilisation(rateHz: number, serviceMs: number, servers: number): number {
  const utilisation = (rateHz * serviceMs) / 1_000 / servers;
  if (utilisation < 1) return utilisation;
  throw new AnalysisError(
    "unstable-load",
    `${threeDigits(rateHz)} arrivals per second of ${threeDigits(serviceMs)} ms each are ${threeDigits(100 * utilisation)} % of what ` +
      `${counted(servers, "server")} can carry, and the queue would grow without end; stay below ` +
      `${threeDigits(capacityHz(serviceMs, servers))} per second, shorten the service, or add servers`,
  );
}
