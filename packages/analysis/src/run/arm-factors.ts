// Which of an arm's factors are settings of its stack, and which say what work it does: stacks are compared at the same work and at
// their defaults, levels of a setting at the same work on the same stack.
import type { Arm, Scalar, WarmUp } from "./run-facts.ts";
import type { StackAsSet } from "./stack-ids.ts";

/** The factor that says which version an arm ran: `base` or `head`. */
export const versionFactor = "version";

type Factors = Readonly<Record<string, Scalar>>;
type SetArm = Pick<Arm, "factors" | "settingDefaults">;

function some({ factors }: Pick<Arm, "factors">, isWanted: (name: string, value: Scalar) => boolean): Factors {
  return Object.fromEntries(Object.entries(factors).filter(([name, value]) => isWanted(name, value)));
}

/** Factors as a key that does not depend on their order. */
export function keyOf(factors: Factors): string {
  return JSON.stringify(Object.entries(factors).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** All factors of an arm but these as a key, settings of its stack among them. */
export function factorKey(arm: Pick<Arm, "factors">, ...without: readonly string[]): string {
  return keyOf(some(arm, (name) => !without.includes(name)));
}

/** What the arm does: its factors without settings of its stack. */
export function workFactors(arm: SetArm): Factors {
  return some(arm, (name) => arm.settingDefaults?.[name] === undefined);
}

/** What is set on its stack. */
export function settingsOf(arm: SetArm): Factors {
  return some(arm, (name) => arm.settingDefaults?.[name] !== undefined);
}

/** What is set on its stack, and not to its default. */
export function changedSettings(arm: SetArm): Factors {
  return some(arm, (name, value) => ![undefined, value].includes(arm.settingDefaults?.[name]));
}

/** The stack of an arm, as it is set there. */
export function stackAsSet(arm: Arm): StackAsSet {
  const { style, server, client, stack, title, stackTitle } = arm;
  return { style, server, client, stack, title, stackTitle, settings: settingsOf(arm) };
}

export function isAtDefaults(arm: SetArm): boolean {
  return Object.keys(changedSettings(arm)).length === 0;
}

/** What ran in processes of its own: a stack with what is set on it. The same for an arm and for the warm-up of its processes. */
export function configurationKey({ stack, settings = {} }: Pick<WarmUp, "stack" | "settings">): string {
  return JSON.stringify([stack, keyOf(settings)]);
}

/** The same for an arm, and for what is reported of a stack as it is set: equal for two of them on one stack, whatever their titles. */
export function configurationOf(one: (SetArm & Pick<Arm, "stack">) | Pick<StackAsSet, "stack" | "settings">): string {
  return configurationKey({ stack: one.stack, settings: "settings" in one ? one.settings : settingsOf(one) });
}

/** True for open loops, and for closed ones with pauses. */
export function waitsByTurns({ load, factors }: Pick<Arm, "load" | "factors">): boolean {
  return load !== undefined && (load.loop === "open" || factors["thinkMs"] !== 0);
}
