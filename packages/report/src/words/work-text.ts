// The work of an arm in a sentence: `one hello call`, `one read of 6 attributes`.
import { bytesText, counted, durationText, windowText, workFactors, type Arm } from "@roundtrip/analysis";

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
