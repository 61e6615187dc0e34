// Phrases that several findings share.
import type { Comparison, Summary } from "../result.ts";
import type { Arm } from "../run.ts";
import { bytesText, counted, durationText, ratioText } from "../words.ts";

function factorText([name, value]: [string, unknown]): string {
  if (name === "attributes" && typeof value === "number") return ` of ${counted(value, "attribute")}`;
  if (name === "payloadBytes" && typeof value === "number") return ` of ${bytesText(value)}`;
  return `, ${name} ${String(value)}`;
}

/** What an arm does, without how: `one hello call`, `one read of 6 attributes`. */
export function workText(arm: Arm): string {
  const factors = Object.entries(arm.factors).map(factorText).join("");
  const task = arm.task.replaceAll("-", " ");
  return arm.variant === "single" && arm.task !== "call" ? `one ${task} call${factors}` : `one ${task}${factors}`;
}

/** `95 % interval 0.79 to 0.86`, or why there is none. */
export function intervalText({ low, high, rounds }: Comparison): string {
  if (low === null || high === null) return `no interval from ${counted(rounds, "round")}`;
  return `95 % interval ${ratioText(low)} to ${ratioText(high)}`;
}

/** `0.82 × (95 % interval 0.79 to 0.86)`. */
export function ratioWithInterval(comparison: Comparison): string {
  return `${ratioText(comparison.ratio)} × (${intervalText(comparison)})`;
}

/** `210 µs (205 to 216 µs)`, or the mean alone where there is no interval. */
export function meanWithInterval({ mean, meanLow, meanHigh }: Summary): string {
  if (meanLow === null || meanHigh === null) return durationText(mean);
  return `${durationText(mean)} (${durationText(meanLow)} to ${durationText(meanHigh)})`;
}
