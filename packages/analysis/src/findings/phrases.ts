// Phrases that several findings share.
import { workFactors } from "../run/arm-factors.ts";
import type { Comparison, Ratio } from "../comparison/comparison.ts";
import type { Finding } from "./finding.ts";
import type { Summary } from "../metrics/summary.ts";
import type { Arm } from "../run/run-facts.ts";
import {
  bytesText,
  counted,
  durationRange,
  durationText,
  listed,
  ratioText,
  threeDigits,
  windowText,
} from "../basics/words.ts";

/** Phrases for network settings; the default has none. */
const switches: Readonly<Record<string, readonly [on: string, off: string]>> = {
  tls: [" over TLS", ""],
  windowScaling: ["", " without window scaling"],
  slowStartAfterIdle: [" with slow start after idle", " without slow start after idle"],
};

function factorText([name, value]: [string, unknown]): string {
  const phrases = switches[name];
  if (phrases !== undefined && typeof value === "boolean") return phrases[value ? 0 : 1];
  // A service's settings contain the name of their service.
  if (name.includes(".")) return ` with ${name}=${String(value)}`;
  if (name === "congestionControl") return ` under ${String(value)}`;
  if (typeof value === "number") {
    if (name === "attributes") return ` of ${counted(value, "attribute")}`;
    if (name === "payloadBytes") return ` of ${bytesText(value)} of values`;
    if (name === "exponent") return ` with exponent ${value.toLocaleString("en-US")}`;
    if (name === "packets") return ` of ${counted(value, "packet")}`;
    if (name === "callers") return ` with ${counted(value, "caller")} at a time`;
    if (name === "rttMs") return ` at ${durationText(value)} round-trip time`;
    if (name === "bandwidthMbps") return ` over ${value} Mbit/s`;
    if (name === "receiveWindowBytes") return ` through a TCP window of ${windowText(value)}`;
  }
  return ` (${name}: ${String(value)})`;
}

const namedVariants: ReadonlySet<string> = new Set(["facade", "chatty", "chatty-parallel", "together"]);

/** A task's name as text: `read payload` is a read. */
function taskText(task: string): string {
  return task.replace(/-payload$/, "").replaceAll("-", " ");
}

/** The work of an arm: `one hello call`, `one read of 6 attributes`. */
export function workText(arm: Arm): string {
  const factors = Object.entries(workFactors(arm)).map(factorText).join("");
  const task = taskText(arm.task);
  return namedVariants.has(arm.variant) || task === "call" ? `one ${task}${factors}` : `one ${task} call${factors}`;
}

/** `95 % interval 0.79 to 0.86`, with its assumption if it rests on few rounds, or the reason without an interval. */
export function intervalText({ low, high, rounds, basis }: Ratio): string {
  if (low === null || high === null) return `no interval from ${counted(rounds, "round")}`;
  const assumed = basis === "student-t" ? ` from ${counted(rounds, "round")}, assuming normal noise` : "";
  return `95 % interval ${ratioText(low)} to ${ratioText(high)}${assumed}`;
}

const interval = "95 % interval ";
const assumption = / from \d+ rounds, assuming normal noise/;
const noInterval = / \(no interval[^)]*\)/;

/** Phrases of one sentence, with “95 % interval” in the first brackets only, and a missing interval in the last only. */
export function withoutRepeatedIntervalText(phrases: readonly string[]): readonly string[] {
  const first = phrases.findIndex((phrase) => phrase.includes(interval));
  const assumed = phrases.map((phrase) => assumption.exec(phrase)?.[0] ?? "");
  const last = phrases.findLastIndex((phrase) => noInterval.test(phrase));
  return phrases.map((phrase, index) => {
    const isSaid = assumed.indexOf(assumed[index] ?? "") < index;
    const once = isSaid ? phrase.replace(assumption, "") : phrase;
    const shorter = index === first ? once : once.replace(interval, "");
    return index === last ? shorter : shorter.replace(noInterval, "");
  });
}

/** `4,120 calls (95 % interval 4,050 to 4,190)`, or the mean alone without an interval. */
export function countWithInterval({ mean, meanLow, meanHigh }: Summary, unit = ""): string {
  if (meanLow === null || meanHigh === null) return `${threeDigits(mean)}${unit}`;
  return `${threeDigits(mean)}${unit} (95 % interval ${threeDigits(meanLow)} to ${threeDigits(meanHigh)})`;
}

export interface ArmRatio {
  readonly arm: Arm;
  readonly comparison: Comparison;
}

/** `1.20 × as long over REST (95 % interval 1.10 to 1.30) and 1.40 × over GraphQL (1.30 to 1.50)`. */
export function timesOver(rows: readonly ArmRatio[], asLong = "as long "): string {
  const each = rows.map(
    ({ arm, comparison }, index) =>
      `${ratioText(comparison.ratio)} × ${index === 0 ? asLong : ""}over ${arm.title} (${intervalText(comparison)})`,
  );
  return listed(withoutRepeatedIntervalText(each));
}

export function byVerdict<Row extends { readonly comparison: Comparison }>(
  rows: readonly Row[],
): readonly (readonly [Finding["strength"], readonly Row[]])[] {
  return byStrength(rows, ({ comparison }) => strengthOfVerdict(comparison));
}

/** `210 µs (95 % interval 205 to 216 µs)`, or the mean alone without an interval. */
export function meanWithInterval({ mean, meanLow, meanHigh }: Summary): string {
  if (meanLow === null || meanHigh === null) return durationText(mean);
  return `${durationText(mean)} (95 % interval ${durationRange(meanLow, meanHigh)})`;
}

/** Rows grouped by strength, strongest first: no sentence mixes strengths. */
export function byStrength<Row>(
  rows: readonly Row[],
  strengthOf: (row: Row) => Finding["strength"],
): readonly (readonly [Finding["strength"], readonly Row[]])[] {
  const groups = Map.groupBy(rows, strengthOf);
  return (["clear", "likely", "none", "inconclusive"] as const).flatMap((strength) => {
    const alike = groups.get(strength);
    return alike === undefined ? [] : [[strength, alike] as const];
  });
}

/** The strength of a claim from the intervals of these ratios: `likely` with few rounds, since noise may not be normal (docs/method.md). */
export function strengthOfClaim(...ratios: readonly Pick<Ratio, "basis">[]): "clear" | "likely" {
  return ratios.some(({ basis }) => basis === "student-t") ? "likely" : "clear";
}

function strengthOfVerdict(comparison: Pick<Comparison, "verdict" | "basis">): Finding["strength"] {
  if (comparison.verdict === "different") return strengthOfClaim(comparison);
  return comparison.verdict === "indistinguishable" ? "none" : "inconclusive";
}

export function isClaim(strength: Finding["strength"]): boolean {
  return strength === "clear" || strength === "likely";
}
