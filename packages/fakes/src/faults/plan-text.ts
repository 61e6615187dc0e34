// Keeps the text that a fault plan was read from, with comments and presets, for editors.
import type { FaultPlan } from "./fault-plan.ts";
import { faultPresets } from "./fault-presets.ts";

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
