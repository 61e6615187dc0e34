// Checks of model inputs: numbers in a range where every formula stays finite, and loads with a steady state.
import { AnalysisError } from "../basics/analysis-error.ts";
import { counted, threeDigits } from "../basics/words.ts";

/** Rates, times and ratios in this range keep every formula finite. */
const least = 1e-9;
const most = 1e12;

/** Throws `bad-option` unless `value` is a positive number. `name` appears in the message. */
export function requirePositive(name: string, value: number): void {
  if (value >= least && value <= most) return;
  throw new AnalysisError("bad-option", `${name} is ${value}; it must be a number above 0, from ${least} to ${most}`);
}

/** Throws `bad-option` unless `value` is zero or a positive number. */
export function requireZeroOrPositive(name: string, value: number): void {
  if (value === 0 || (value >= least && value <= most)) return;
  throw new AnalysisError("bad-option", `${name} is ${value}; it must be 0 or a number above 0, up to ${most}`);
}

/** Throws `bad-option` unless `value` is an integer in the range. */
export function requireWhole(name: string, value: number, low: number, high: number): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new AnalysisError("bad-option", `${name} is ${value}; it must be a whole number from ${low} to ${high}`);
}

/** The smallest unstable arrival rate of `servers`, per second. */
export function capacityHz(serviceMs: number, servers: number): number {
  return (1_000 * servers) / serviceMs;
}

/** Share of time that the servers are busy. Throws `unstable-load` from 1 on, where the queue grows without bound. */
export function stableUtilisation(rateHz: number, serviceMs: number, servers: number): number {
  const utilisation = (rateHz * serviceMs) / 1_000 / servers;
  if (utilisation < 1) return utilisation;
  const more = servers === 1 ? "use mmc with several servers" : "add servers";
  throw new AnalysisError(
    "unstable-load",
    `${threeDigits(rateHz)} arrivals per second of ${threeDigits(serviceMs)} ms each are ${threeDigits(100 * utilisation)} % of what ` +
      `${counted(servers, "server")} can carry, and the queue would grow without end; stay below ` +
      `${threeDigits(capacityHz(serviceMs, servers))} per second, shorten the service, or ${more}`,
  );
}
