// The quantiles of delays' distributions.
import { FakeError } from "../basics/fake-error.ts";
import { type Delay, longestDelayMs } from "./fault-schema.ts";

// Quantiles of the normal distribution by the algorithm AS 241, PPND7 (Wichura, 1988, Applied Statistics 37, 477-484).

/** A quotient of two polynomials, with coefficients from the constant on. */
interface Quotient {
  readonly above: readonly number[];
  readonly below: readonly number[];
}

const middle: Quotient = {
  above: [3.3871327179, 50.434271938, 159.29113202, 59.10937472],
  below: [1, 17.895169469, 78.757757664, 67.1875636],
};
const tail: Quotient = {
  above: [1.4234372777, 2.75681539, 1.3067284816, 0.17023821103],
  below: [1, 0.7370016425, 0.12021132975],
};
const farTail: Quotient = {
  above: [6.657905115, 3.081226386, 0.42868294337, 0.017337203997],
  below: [1, 0.24197894225, 0.012258202635],
};

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}

function valueOf({ above, below }: Quotient, x: number): number {
  return polynomial(above, x) / polynomial(below, x);
}

/**
 * The value below which a standard normal variable lies with this probability, to about seven digits.
 * @param probability between 0 and 1, both excluded
 */
export function normalQuantile(probability: number): number {
  const offset = probability - 0.5;
  if (Math.abs(offset) <= 0.425) return offset * valueOf(middle, 0.180625 - offset ** 2);
  const depth = Math.sqrt(-Math.log(Math.min(probability, 1 - probability)));
  const size = depth <= 5 ? valueOf(tail, depth - 1.6) : valueOf(farTail, depth - 5);
  return offset < 0 ? -size : size;
}

/** The smallest draw above 0: distributions without bounds have no value at 0. */
const least = 2 ** -49;

const normalP99 = normalQuantile(0.99);

function quantileOf({ ms, uniform, exponential, lognormal, measured }: Delay, probability: number): number {
  if (ms !== undefined) return ms;
  if (uniform !== undefined) return uniform.fromMs + probability * (uniform.toMs - uniform.fromMs);
  if (exponential !== undefined) return -exponential.meanMs * Math.log1p(-probability);
  if (lognormal !== undefined) {
    const { medianMs, p99Ms } = lognormal;
    const spread = Math.log(p99Ms / medianMs) / normalP99;
    return medianMs * Math.exp(spread * normalQuantile(Math.max(probability, least)));
  }
  if (measured === undefined) throw new FakeError("unreadable", "only files can name a run; pass its latencies");
  const { valuesMs } = measured;
  return valuesMs[Math.floor(probability * valuesMs.length)] ?? 0;
}

/**
 * The delay in milliseconds that this share of all delays is shorter than, at most {@link longestDelayMs}.
 * @param probability from 0 up to, but not including, 1
 */
export function delayMs(delay: Delay, probability: number): number {
  return Math.min(quantileOf(delay, probability), longestDelayMs);
}
