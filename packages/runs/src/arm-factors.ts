// Splits an arm's factors into its work and the settings of its stack. Two stacks are compared where their work is equal, and their settings are
// defaults or equal; levels of a setting, where work and stack are equal.
import type { Scalar, WarmUp } from "./block-facts.ts";
import type { Arm, StackAsSet } from "./run-facts.ts";

/** The factor that names the version of an arm: `base` or `head`. */
export const versionFactor = "version";

type Factors = Readonly<Record<string, Scalar>>;
type SetArm = Pick<Arm, "factors" | "settingDefaults">;

function some({ factors }: Pick<Arm, "factors">, isWanted: (name: string, value: Scalar) => boolean): Factors {
  return Object.fromEntries(Object.entries(factors).filter(([name, value]) => isWanted(name, value)));
}

/** A key that does not depend on the order of factors. */
export function keyOf(factors: Factors): string {
  return JSON.stringify(Object.entries(factors).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** A key of an arm's factors (including settings) without the given ones. */
export function factorKey(arm: Pick<Arm, "factors">, ...without: readonly string[]): string {
  return keyOf(some(arm, (name) => !without.includes(name)));
}

/** Equal for arms of one task, stack and variant that differ in the given factors only. */
export function seriesKey(arm: Arm, ...differing: readonly string[]): string {
  return JSON.stringify([arm.study, arm.task, arm.stack, arm.variant, factorKey(arm, ...differing)]);
}

/** The work of the arm: its factors without settings of its stack. */
export function workFactors(arm: SetArm): Factors {
  return some(arm, (name) => arm.settingDefaults?.[name] === undefined);
}

export function settingsOf(arm: SetArm): Factors {
  return some(arm, (name) => arm.settingDefaults?.[name] !== undefined);
}

/** The settings of its stack that are not defaults. */
export function changedSettings(arm: SetArm): Factors {
  return some(arm, (name, value) => ![undefined, value].includes(arm.settingDefaults?.[name]));
}

export function stackAsSet(arm: Arm): StackAsSet {
  const { style, server, client, stack, title, stackTitle } = arm;
  return { style, server, client, stack, title, stackTitle, settings: settingsOf(arm) };
}

export function isAtDefaults(arm: SetArm): boolean {
  return Object.keys(changedSettings(arm)).length === 0;
}

/** A key of a configuration with its own processes: a stack with its settings. The same for an arm and for its warm-up. */
export function configurationKey({ stack, settings = {} }: Pick<WarmUp, "stack" | "settings">): string {
  return JSON.stringify([stack, keyOf(settings)]);
}

/** The same key for an arm or a stack with settings, whatever their titles. */
export function configurationOf(one: (SetArm & Pick<Arm, "stack">) | Pick<StackAsSet, "stack" | "settings">): string {
  return configurationKey({ stack: one.stack, settings: "settings" in one ? one.settings : settingsOf(one) });
}

/** Whether the arm's client polls for due times: open loops, and closed loops with think time. */
export function pollsForDueTimes({ load, factors }: Pick<Arm, "load" | "factors">): boolean {
  return load !== undefined && (load.loop === "open" || factors["thinkMs"] !== 0);
}
