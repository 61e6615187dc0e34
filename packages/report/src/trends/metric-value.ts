// A metric's value with its unit, which its name tells.
import { durationText } from "@roundtrip/analysis";
import { number } from "../words/quantity.ts";

/** `1.23 ms` of a metric in milliseconds, `272` of any other. */
export function metricValue(metric: string, value: number): string {
  return /Ms(?:Per[A-Z]\w*)?$/.test(metric) ? durationText(value) : number(value);
}
