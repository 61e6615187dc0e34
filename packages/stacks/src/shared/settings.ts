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
