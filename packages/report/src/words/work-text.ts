// The work of an arm in a sentence: `one hello call`, `one read of 6 attributes`.
import type { ClaimKind, PublishedClaim, PublishedFigures, ReportInput } from "../view/report-input.ts";
import {
  type Judge,
  kneeMoves,
  modelPredicts,
  responseExplodes,
  thinkingShortens,
  workGrows,
} from "../claims/judges.ts";
import { type Arm, bytesText, counted, durationText, windowText, workFactors } from "@roundtrip/analysis";

const judges = {
  "thinking-shortens-round-trips": thinkingShortens,
  "model-predicts-round-trips": modelPredicts,
  "response-explodes-at-capacity": responseExplodes,
  "knee-moves": kneeMoves,
  "work-grows-and-transport-stays": workGrows,
} as const satisfies Readonly<Record<ClaimKind, Judge>>;

function claimText(input: ReportInput, study: string, { found, kind }: PublishedClaim): string {
  const shown = judges[kind](input, study);
  if (shown === null) return `It found that ${found}; this run cannot show it.`;
  const { here, isAlike } = shown;
  return `It found that ${found}. ${isAlike === null ? "Here" : isAlike ? "So it is here" : "Not so here"}: ${here}.`;
}

/** Everything except its name, as sentences. */
export function sourceText(input: ReportInput, { study, source, setting, caveats, claims }: PublishedFigures): string {
  return [`${source}.`, setting, ...caveats, ...claims.map((claim) => claimText(input, study, claim))].join(" ");
}

/** Phrases for network settings; the default has none. */
const switches: Readonly<Record<string, readonly [on: string, off: string]>> = {
  tls: [" over TLS", ""],
  windowScaling: ["", " without window scaling"],
  slowStartAfterIdle: [" with slow start after idle", " without slow start after idle"],
};

const numbers: Readonly<Record<string, (value: number) => string>> = {
  attributes: (value) => ` of ${counted(value, "attribute")}`,
  payloadBytes: (value) => ` of ${bytesText(value)} of values`,
  exponent: (value) => ` with exponent ${value.toLocaleString("en-US")}`,
  packets: (value) => ` of ${counted(value, "packet")}`,
  callers: (value) => ` with ${counted(value, "caller")} at a time`,
  rttMs: (value) => ` at ${durationText(value)} round-trip time`,
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

const namedVariants: ReadonlySet<string> = new Set(["facade", "chatty", "chatty-parallel", "together"]);

/** @param without factors that the sentence is about */
export function workText(arm: Arm, ...without: readonly string[]): string {
  const factors = Object.entries(workFactors(arm)).filter(([name]) => !without.includes(name));
  const task = arm.task.replace(/-payload$/, "").replaceAll("-", " ");
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
    case "together":
      return "several fields in one request";
    default:
      return `variant “${variant}”`;
  }
}
