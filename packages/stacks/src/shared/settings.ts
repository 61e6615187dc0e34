// What is set on a stack, held against what the stack declares.
import { settingFault, withDefaults, type SettingsOf } from "@roundtrip/contract";
import type { PlainSetting, Settings } from "../basics/stack.ts";
import { StackError } from "../basics/stack-error.ts";

export type { SettingsOf } from "@roundtrip/contract";

/** What is given, and the defaults of the rest. Throws a StackError `unusable-setting` for what is not declared. */
export function settingsWith<D extends readonly PlainSetting[]>(declared: D, given: Settings): SettingsOf<D> {
  const fault = settingFault(declared, given);
  if (fault !== undefined) throw new StackError("unusable-setting", fault);
  return withDefaults(declared, given);
}
