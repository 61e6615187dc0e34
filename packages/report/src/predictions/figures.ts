// Formats figures of predictions for their tables.
import { threeDigits } from "@roundtrip/analysis";
import type { SimulatedSource } from "@roundtrip/analysis/models";
import { absent, number } from "../basics/quantity.ts";

export function percent(share: number | null): string {
  return share === null ? absent : `${threeDigits(100 * share)} %`;
}

export function figure(value: number | null | undefined): string {
  return value === null || value === undefined ? absent : number(value);
}

/** `50.2 ± 0.9`: a simulated mean with the half-width of its 95 % interval, or the mean alone without one. */
export function simulatedMean(source: SimulatedSource | null | undefined): string {
  if (source === null || source === undefined || source.responseMs === null) return absent;
  const { responseMs, responseLowMs: low, responseHighMs: high } = source;
  if (low === null || high === null) return number(responseMs);
  const halfWidth = (high - low) / 2;
  // Constant times without waiting scatter only by rounding.
  return `${number(responseMs)} ± ${number(halfWidth < responseMs * 1e-9 ? 0 : halfWidth)}`;
}

export const simulationNote = "±: half a 95 % interval of the simulated mean.";
