// Validates delays, from files and from programs.
import type { JsonValue } from "@bufbuild/protobuf";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { expected } from "../files/form.ts";
import { longestDelayMs } from "./delays.ts";
import type { Delay } from "./fault-plan.ts";

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
