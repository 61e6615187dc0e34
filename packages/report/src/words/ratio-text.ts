// Ratios and work as text, with the mark of few rounds.
import {
  isTooWide,
  bytesText,
  counted,
  durationText,
  minimumRounds,
  type Ratio,
  ratioText,
  windowText,
} from "@roundtrip/analysis";
import { type Arm, workFactors } from "@roundtrip/runs";
import { interval, multiple } from "../basics/quantity.ts";

type BasedRatio = Pick<Ratio, "low" | "high" | "basis">;

function assumesNormal({ basis }: BasedRatio): boolean {
  return basis === "student-t";
}

/** `0.35× to 0.66×`, followed by a t where that assumes normal noise. */
export function ratioInterval(ratio: BasedRatio): string {
  return `${interval(ratio.low, ratio.high, multiple)}${assumesNormal(ratio) ? " t" : ""}`;
}

/** The assumption of such intervals, for a caption; empty where no ratio has one. */
export function fewRoundsNote(ratios: readonly BasedRatio[]): string {
  if (!ratios.some(assumesNormal)) return "";
  return `Intervals from fewer than ${minimumRounds} rounds are Student’s t and assume normal noise.`;
}

export function fewRoundsLegend(ratios: readonly BasedRatio[]): string {
  const note = fewRoundsNote(ratios);
  return note === "" ? "" : `t: ${note.charAt(0).toLowerCase()}${note.slice(1)}`;
}

/** Phrases for network settings; the default has none. */
const switches: Readonly<Record<string, readonly [on: string, off: string]>> = {
  tls: [" over TLS", ""],
  windowScaling: ["", " without window scaling"],
  slowStartAfterIdle: [" with slow start after idle", " without slow start after idle"],
};

const numbers: Readonly<Record<string, (value: number) => string>> = {
  attributes: (value) => ` of ${counted(value, "attribute")}`,
  invoices: (value) => ` of ${counted(value, "invoice")}`,
  levels: (value) => ` over ${counted(value, "level")} of links`,
  fields: (value) => ` for ${counted(value, "field")}`,
  products: (value) => ` of ${counted(value, "product")}`,
  messageBytes: (value) => ` in messages of ${bytesText(value)}`,
  payloadBytes: (value) => ` of ${bytesText(value)} of values`,
  exponent: (value) => ` with exponent ${value.toLocaleString("en-US")}`,
  packets: (value) => ` of ${counted(value, "packet")}`,
  callers: (value) => ` with ${counted(value, "caller")} at a time`,
  rttMs: (value) => (value === 0 ? "" : ` at ${durationText(value)} round-trip time`),
  bandwidthMbps: (value) => ` over ${value} Mbit/s`,
  receiveWindowBytes: (value) => ` through a TCP window of ${windowText(value)}`,
};

function factorText([name, value]: [string, unknown]): string {
  const phrases = switches[name];
  if (phrases !== undefined && typeof value === "boolean") return phrases[value ? 0 : 1];
  // A service's settings contain the name of their service.
  if (name.includes(".")) return ` with ${name}=${String(value)}`;
  if (name === "congestionControl") return ` under ${String(value)}`;
  const text = typeof value === "number" ? numbers[name]?.(value) : undefined;
  return text ?? ` (${name}: ${String(value)})`;
}

/** How a list or a task of linked data is read. */
const variantWords: Readonly<Record<string, string>> = {
  stream: "a stream of single messages",
  pages: "pages one after the other",
  "batched-10": "a stream of batches of 10",
  "batched-50": "a stream of batches of 50",
  masked: "one call that names all fields",
  selected: "one call for some fields",
  whole: "one call for all fields",
  "fine-parallel": "calls as parallel as links allow",
  batched: "a list and batches",
  listed: "a list with its lines and a batch",
  query: "one query over edges",
};

/** A variant in a sentence about its calls. */
export function wayText(variant: string): string {
  return variantWords[variant] ?? (["chatty", "fine"].includes(variant) ? "calls one after the other" : `“${variant}”`);
}

const namedVariants: ReadonlySet<string> = new Set([
  "facade",
  "chatty",
  "chatty-parallel",
  "together",
  "fine",
  ...Object.keys(variantWords),
]);

/** The work without what a task varies: `statement` for `statement-by-invoices`. */
export function taskText(task: string): string {
  return task.replace(/-(?:payload|(?:by|over)-\w+)$/, "").replaceAll("-", " ");
}

/** @param without factors that the sentence is about */
export function workText(arm: Arm, ...without: readonly string[]): string {
  const factors = Object.entries(workFactors(arm)).filter(([name]) => !without.includes(name));
  const task = taskText(arm.task);
  const noun = namedVariants.has(arm.variant) || task === "call" ? task : `${task} call`;
  return `one ${noun}${factors.map(factorText).join("")}`;
}

/** `6 calls one after the other`. */
export function callsText({ variant, callsPerTask }: Pick<Arm, "variant" | "callsPerTask">): string {
  const calls = counted(callsPerTask, "call");
  switch (variant) {
    case "chatty":
      return callsPerTask === 1 ? calls : `${calls} one after the other`;
    case "chatty-parallel":
      return `${calls} at once`;
    case "fine":
      return `${calls} one after the other`;
    case "together":
      return "several fields in one request";
    default:
      return variantWords[variant] ?? `variant “${variant}”`;
  }
}

export type ShownRatio = Pick<Ratio, "ratio" | "low" | "high" | "rounds" | "basis">;

/** `4.24 to 7.48`; with its assumption if it rests on few rounds, or the reason without an interval. */
function intervalText({ low, high, rounds, basis }: ShownRatio): string {
  if (low === null || high === null) return `no interval from ${counted(rounds, "round")}`;
  const assumed = basis === "student-t" ? `, assuming normal noise` : "";
  return `${ratioText(low)} to ${ratioText(high)}${assumed}`;
}

/** `5.63 × (4.24 to 7.48)`, and `at least 1.98 ×` or `at most 0.5 ×` where the interval is too wide for a figure. */
export function timesText(ratio: ShownRatio): string {
  const { low, high } = ratio;
  if (low !== null && high !== null && isTooWide(ratio)) {
    if (low > 1) return `at least ${ratioText(low)} ×`;
    if (high < 1) return `at most ${ratioText(high)} ×`;
    return `unclear: ${rangeText(low, high)}`;
  }
  return `${ratioText(ratio.ratio)} × (${intervalText(ratio)})`;
}

function sideText(ratio: number): string {
  const [size, word] = ratio < 1 ? [1 / ratio, "faster"] : [ratio, "slower"];
  if (size < 1.995) {
    const percent = Math.round(100 * (ratio < 1 ? 1 - ratio : ratio - 1));
    return percent === 0 ? "as fast" : `${percent} % ${word}`;
  }
  return `${size < 9.95 ? size.toPrecision(2) : Math.round(size)} times ${word}`;
}

/** Beyond this, an end of a range says nothing about the arms, but that there was too much noise for so few rounds. */
const mostTimes = 1_000;

/** What remains possible: `anything from 37 times faster to 4.5 times slower`. */
export function rangeText(low: number, high: number): string {
  if (1 / low > mostTimes || high > mostTimes) return "anything, too noisy for so few rounds";
  return `anything from ${sideText(low)} to ${sideText(high)}`;
}

/** `cannot tell: anything from 5 % faster to 12 % slower`, or why there is no range. */
export function undecidedText({ low, high, rounds }: ShownRatio): string {
  if (low === null || high === null) return `cannot tell from ${counted(rounds, "round")}`;
  return `cannot tell: ${rangeText(low, high)}`;
}
