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

/**
 * Throws a FakeError for an invalid delay.
 * @param path the path of its distribution
 */
export function checkDelay(delay: Delay, path: ValuePath): void {
  switch (delay.kind) {
    case "constant":
      checkMs(delay.ms, path);
      break;
    case "uniform":
      checkMs(delay.fromMs, [...path, "fromMs"]);
      checkMs(delay.toMs, [...path, "toMs"], delay.fromMs);
      break;
    case "exponential":
      checkMs(delay.meanMs, [...path, "meanMs"]);
      break;
    case "lognormal":
      checkMs(delay.medianMs, [...path, "medianMs"], leastMedianMs);
      checkMs(delay.p99Ms, [...path, "p99Ms"], delay.medianMs);
      break;
    case "measured": {
      const at = [...path, "valuesMs"];
      const count = delay.valuesMs.length;
      if (count === 0 || count > mostMeasured) {
        throw new FakeError("wrong-type", `expected 1 to ${mostMeasured} values, got ${count}`, { path: at });
      }
      for (const [index, ms] of delay.valuesMs.entries()) checkMs(ms, [...at, index]);
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
  switch (delay.kind) {
    case "constant":
      return delay.ms;
    case "uniform":
      return delay.fromMs + probability * (delay.toMs - delay.fromMs);
    case "exponential":
      return -delay.meanMs * Math.log1p(-probability);
    case "lognormal": {
      const { medianMs, p99Ms } = delay;
      const spread = Math.log(p99Ms / medianMs) / normalP99;
      return medianMs * Math.exp(spread * normalQuantile(Math.max(probability, least)));
    }
    case "measured":
      return delay.valuesMs[Math.floor(probability * delay.valuesMs.length)] ?? 0;
  }
}

/**
 * The delay in milliseconds that this share of all delays is shorter than, at most {@link longestDelayMs}.
 * @param probability from 0 up to, but not including, 1
 */
export function delayMs(delay: Delay, probability: number): number {
  return Math.min(quantileOf(delay, probability), longestDelayMs);
}

/** The source of measured latencies: a run directory, and the arms in it. */
export interface RunArm {
  readonly directory: string;
  /** An arm's id, or a pattern with `*` for any part of one. */
  readonly arm: string;
}

/** A delay as written in a file. Measured delays are read from their run later. */
export type WrittenDelay = Delay | { readonly kind: "run"; readonly from: RunArm; readonly path: ValuePath };

/** The names of members that state a delay. */
export const delayKeys = ["ms", "uniform", "exponential", "lognormal", "measured", "run"] as const;

/** The only one of these members that is present. Throws a FakeError if none or several are. */
export function onlyKeyIn<K extends string>(json: JsonObject, keys: readonly K[], path: ValuePath): K {
  const given = keys.filter((key) => Object.hasOwn(json, key));
  const [first] = given;
  if (first !== undefined && given.length === 1) return first;
  const actual = given.length === 0 ? "none" : given.join(" and ");
  throw new FakeError("wrong-type", `expected one of ${keys.join(", ")}; got ${actual}`, { path });
}

/** A member as a number, which is validated later with all others. */
function numberIn(json: JsonObject, key: string): number {
  return (json[key] ?? null) as number;
}

/** A distribution that is written in the file itself, with its numbers not yet validated. */
function distributionOf(kind: Exclude<(typeof delayKeys)[number], "run">, json: JsonValue, path: ValuePath): Delay {
  const members = (...keys: readonly string[]): JsonObject => objectOf(json, keys, `a delay that is ${kind}`, path);
  switch (kind) {
    case "ms":
      return { kind: "constant", ms: json as number };
    case "uniform": {
      const object = members("fromMs", "toMs");
      return { kind, fromMs: numberIn(object, "fromMs"), toMs: numberIn(object, "toMs") };
    }
    case "exponential":
      return { kind, meanMs: numberIn(members("meanMs"), "meanMs") };
    case "lognormal": {
      const object = members("medianMs", "p99Ms");
      return { kind, medianMs: numberIn(object, "medianMs"), p99Ms: numberIn(object, "p99Ms") };
    }
    case "measured": {
      const values = listOf(members("valuesMs")["valuesMs"] ?? null, [...path, "valuesMs"]);
      return { kind, valuesMs: values as readonly number[] };
    }
  }
}

function runOf(json: JsonValue, path: ValuePath): WrittenDelay {
  const { directory, arm } = objectOf(json, ["directory", "arm"], "a run", path);
  if (typeof directory !== "string") throw expected("a run directory", directory ?? null, [...path, "directory"]);
  return { kind: "run", from: { directory, arm: textOf(arm, "*", [...path, "arm"]) }, path };
}

/** The delay among the members of an object. Throws a FakeError if none or several are present, or it is invalid. */
export function delayIn(json: JsonObject, path: ValuePath): WrittenDelay {
  const kind = onlyKeyIn(json, delayKeys, path);
  const [value, at]: [JsonValue, ValuePath] = [json[kind] ?? null, [...path, kind]];
  if (kind === "run") return runOf(value, at);
  const delay = distributionOf(kind, value, at);
  checkDelay(delay, at);
  return delay;
}
