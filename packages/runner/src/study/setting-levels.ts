// The values that settings take in a run: more than one makes a setting a factor.
import type { SettingValue } from "@roundtrip/stacks";

/** The levels of one stack's settings, by their names. */
export type LevelsOfStack = Readonly<Record<string, readonly SettingValue[]>>;

/** The levels of settings by stack, or by service; what is not there has its default. */
export type SettingLevels = Readonly<Record<string, LevelsOfStack>>;
