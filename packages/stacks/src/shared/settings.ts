// Checks settings against those that a stack declares.
import { settingFault, withDefaults, type SettingsOf } from "@roundtrip/contract";
import type { PlainSetting, Settings } from "../basics/stack.ts";
import { StackError } from "../basics/stack-error.ts";

export type { SettingsOf } from "@roundtrip/contract";

/** Fills in the defaults. Throws a StackError `unusable-setting` for undeclared settings. */
export function settingsWith<D extends readonly PlainSetting[]>(declared: D, given: Settings): SettingsOf<D> {
  const fault = settingFault(declared, given);
  if (fault !== undefined) throw new StackError("unusable-setting", fault);
  return withDefaults(declared, given);
}

/** Separates a library's own settings from those that it shares. Throws a StackError `unusable-setting` for undeclared ones of either. */
export function splitSettings<D extends readonly PlainSetting[]>(
  declared: D,
  shared: readonly PlainSetting[],
  given: Settings,
): { readonly own: SettingsOf<D>; readonly others: Settings } {
  settingsWith([...declared, ...shared], given);
  const names = new Set(declared.map(({ name }) => name));
  const entries = Object.entries(given);
  const own = Object.fromEntries(entries.filter(([name]) => names.has(name)));
  const others = Object.fromEntries(entries.filter(([name]) => !names.has(name)));
  return { own: settingsWith(declared, own), others };
}
