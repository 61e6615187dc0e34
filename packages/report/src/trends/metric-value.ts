// A metric's values with their unit, which its name states.
import { threeDigits } from "@roundtrip/analysis";
import { duration, timeUnitFor } from "../basics/quantity.ts";

const isTime = /Ms(?:Per[A-Z]\w*)?$/;

/** `1.23 ms` of a metric in milliseconds, `272` of any other; several in one unit: `0.999 → 1.20 ms`. */
export function metricValues(metric: string, ...values: readonly number[]): string {
  if (!isTime.test(metric)) return values.map(threeDigits).join(" → ");
  const unit = timeUnitFor(values);
  return `${values.map((value) => duration(value, unit)).join(" → ")} ${unit.symbol}`;
}
