// Delays: their form in a file, and the quantiles of their distributions.
import type { Delay } from "./fault-plan.ts";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { expected, listOf, objectOf, textOf } from "../files/form.ts";

/** More values do not improve a distribution. */
const mostMeasured = 100_000;

/** The smallest median: a logarithm has no value at 0. */
const leastMedianMs = 0.001;

function checkMs(ms: unknown, path: ValuePath, least = 0): void {
  if (typeof ms === "number" && ms >= least && ms <= longestDelayMs) return;
  throw expected(`milliseconds from ${least} to ${longestDelayMs}`, (ms ?? null) as JsonValue, path);
}

/** The source of measured latencies: a run directory, and the arms in it. */
export interface RunArm {
  readonly directory: string;
  /** An arm's id, or a pattern with `*` for any part of one. */
  readonly arm: string;
}

/** The names of members that state a delay. Files may also name a run, whose latencies are read before the plan is used. */
export const delayKeys = ["ms", "uniform", "exponential", "lognormal", "measured", "run"] as const;

/** The only one of these members that is present. Throws a FakeError if none or several are. */
export function onlyKeyIn<K extends string>(json: JsonObject, keys: readonly K[], path: ValuePath): K {
  const present = keys.filter((key) => Object.hasOwn(json, key));
  const [first] = present;
  if (first !== undefined && present.length === 1) return first;
  const actual = present.length === 0 ? "none" : present.join(" and ");
  throw new FakeError("wrong-type", `expected one of ${keys.join(", ")}; got ${actual}`, { path });
}

/** Throws a FakeError unless one member of the object is a valid delay. */
export function checkDelay(json: JsonObject, path: ValuePath): void {
  const kind = onlyKeyIn(json, delayKeys, path);
  const [value, at]: [JsonValue, ValuePath] = [json[kind] ?? null, [...path, kind]];
  const what = kind === "run" ? "a run" : `a delay that is ${kind}`;
  const members = (...keys: readonly string[]): JsonObject => objectOf(value, keys, what, at);
  switch (kind) {
    case "ms":
      checkMs(value, at);
      break;
    case "uniform": {
      const { fromMs, toMs } = members("fromMs", "toMs");
      checkMs(fromMs, [...at, "fromMs"]);
      checkMs(toMs, [...at, "toMs"], fromMs as number);
      break;
    }
    case "exponential":
      checkMs(members("meanMs")["meanMs"], [...at, "meanMs"]);
      break;
    case "lognormal": {
      const { medianMs, p99Ms } = members("medianMs", "p99Ms");
      checkMs(medianMs, [...at, "medianMs"], leastMedianMs);
      checkMs(p99Ms, [...at, "p99Ms"], medianMs as number);
      break;
    }
    case "measured": {
      const valuesAt = [...at, "valuesMs"];
      const values = listOf(members("valuesMs")["valuesMs"] ?? null, valuesAt);
      if (values.length === 0 || values.length > mostMeasured) {
        const text = `expected 1 to ${mostMeasured} values, got ${values.length}`;
        throw new FakeError("wrong-type", text, { path: valuesAt });
      }
      for (const [index, ms] of values.entries()) checkMs(ms, [...valuesAt, index]);
      break;
    }
    case "run": {
      const { directory, arm } = members("directory", "arm");
      if (typeof directory !== "string") throw expected("a run directory", directory ?? null, [...at, "directory"]);
      textOf(arm, "*", [...at, "arm"]);
    }
  }
}

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

/** The maximum delay, even if a distribution gives more: one hour. */
export const longestDelayMs = 3_600_000;

/** The smallest draw above 0: distributions without bounds have no value at 0. */
const least = 2 ** -49;

const normalP99 = normalQuantile(0.99);

function quantileOf(delay: Delay, probability: number): number {
  if ("ms" in delay) return delay.ms;
  if ("uniform" in delay) return delay.uniform.fromMs + probability * (delay.uniform.toMs - delay.uniform.fromMs);
  if ("exponential" in delay) return -delay.exponential.meanMs * Math.log1p(-probability);
  if ("lognormal" in delay) {
    const { medianMs, p99Ms } = delay.lognormal;
    const spread = Math.log(p99Ms / medianMs) / normalP99;
    return medianMs * Math.exp(spread * normalQuantile(Math.max(probability, least)));
  }
  const { valuesMs } = delay.measured;
  return valuesMs[Math.floor(probability * valuesMs.length)] ?? 0;
}

/**
 * The delay in milliseconds that this share of all delays is shorter than, at most {@link longestDelayMs}.
 * @param probability from 0 up to, but not including, 1
 */
export function delayMs(delay: Delay, probability: number): number {
  return Math.min(quantileOf(delay, probability), longestDelayMs);
}
