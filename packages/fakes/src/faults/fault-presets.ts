// The built-in fault plans, and the text of a plan for editors.
import { type FaultPlan, noFaults } from "./fault-plan.ts";
import { longestDelayMs } from "./delays.ts";

const everything = "*";

/** Plans by name, each for all operations. */
export const faultPresets = {
  /** One call in ten fails and may be retried, and a few connections close. */
  flaky: {
    ...noFaults,
    faults: [
      {
        operation: everything,
        probability: 0.1,
        error: { code: "UNAVAILABLE", message: "unavailable", details: { reason: "FLAKY" } },
      },
      { operation: everything, probability: 0.02, drop: true },
      { operation: everything, probability: 0.01, truncate: true },
    ],
  },
  /** Half of the calls take longer than 200 ms, one in a hundred longer than 2 s, and streams are slow. */
  slow: {
    faults: [{ operation: everything, "slow-stream": { uniform: { fromMs: 20, toMs: 200 } } }],
    latencies: [{ operation: everything, lognormal: { medianMs: 200, p99Ms: 2_000 } }],
  },
  /** Calls wait, half a second on average, and one in five is refused. */
  overloaded: {
    faults: [
      {
        operation: everything,
        probability: 0.2,
        error: { code: "RESOURCE_EXHAUSTED", message: "too many calls", details: { reason: "OVERLOADED" } },
      },
    ],
    latencies: [{ operation: everything, exponential: { meanMs: 500 } }],
  },
  /** Connections are accepted and closed without an answer. */
  down: { ...noFaults, faults: [{ operation: everything, drop: true }] },
  /** Calls get no answer and connections stay open: clients need deadlines. */
  hanging: { ...noFaults, latencies: [{ operation: everything, ms: longestDelayMs }] },
} as const satisfies Readonly<Record<string, FaultPlan>>;

const texts = new WeakMap<FaultPlan, string>(
  Object.entries(faultPresets).map(([name, plan]) => [plan, `presets: [${name}]\n`]),
);

/** Stores the text of a plan. Reading the text again must give this plan. */
export function rememberText(plan: FaultPlan, text: string): void {
  texts.set(plan, text);
}

/** Undefined for a plan without a text, or with more information than the text. */
export function writtenText(plan: FaultPlan): string | undefined {
  return texts.get(plan);
}
