// Phrases that several findings share.
import type { Comparison, Summary } from "../result.ts";
import type { Arm } from "../run.ts";
import { bytesText, counted, durationRange, durationText, ratioText } from "../words.ts";

function factorText([name, value]: [string, unknown]): string {
  if (typeof value === "number") {
    if (name === "attributes") return ` of ${counted(value, "attribute")}`;
    if (name === "payloadBytes") return ` of ${bytesText(value)}`;
    if (name === "callers") return ` with ${counted(value, "caller")} at a time`;
    if (name === "rttMs") return ` at ${durationText(value)} round-trip time`;
  }
  return ` (${name}: ${String(value)})`;
}

/** Ways to call that make a task something other than one call. */
const waysToCall: ReadonlySet<string> = new Set(["facade", "chatty", "chatty-parallel", "together"]);

/** What an arm does, without how: `one hello call`, `one read of 6 attributes`. */
export function workText(arm: Arm): string {
  const factors = Object.entries(arm.factors).map(factorText).join("");
  const task = arm.task.replaceAll("-", " ");
  return waysToCall.has(arm.variant) || task === "call" ? `one ${task}${factors}` : `one ${task} call${factors}`;
}

/** `95 % interval 0.79 to 0.86`, or why there is none. */
export function intervalText({ low, high, rounds }: Comparison): string {
  if (low === null || high === null) return `no interval from ${counted(rounds, "round")}`;
  return `95 % interval ${ratioText(low)} to ${ratioText(high)}`;
}

const interval = "95 % interval ";
const noInterval = / \(no interval[^)]*\)/;

/** Phrases of one sentence with what their brackets hold said only once: of intervals the first time, of missing ones the last. */
export function saidOnce(phrases: readonly string[]): readonly string[] {
  const first = phrases.findIndex((phrase) => phrase.includes(interval));
  const last = phrases.findLastIndex((phrase) => noInterval.test(phrase));
  return phrases.map((phrase, index) => {
    const shorter = index === first ? phrase : phrase.replace(interval, "");
    return index === last ? shorter : shorter.replace(noInterval, "");
  });
}

/** `210 µs (95 % interval 205 to 216 µs)`, or the mean alone where there is no interval. */
export function meanWithInterval({ mean, meanLow, meanHigh }: Summary): string {
  if (meanLow === null || meanHigh === null) return durationText(mean);
  return `${durationText(mean)} (95 % interval ${durationRange(meanLow, meanHigh)})`;
}
