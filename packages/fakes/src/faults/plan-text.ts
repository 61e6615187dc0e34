// What somebody wrote that became a fault plan: comments, presets and all, for whoever wants to see or change it again.
import type { FaultPlan } from "./fault-plan.ts";
import { faultPresets } from "./fault-presets.ts";

const texts = new WeakMap<FaultPlan, string>(
  Object.entries(faultPresets).map(([name, plan]) => [plan, `presets: [${name}]\n`]),
);

/** Remembers the text of a plan. It has to be one that is read as this plan again. */
export function rememberText(plan: FaultPlan, text: string): void {
  texts.set(plan, text);
}

/** Undefined for a plan that nobody wrote as a text, or whose text alone does not tell it. */
export function writtenText(plan: FaultPlan): string | undefined {
  return texts.get(plan);
}
