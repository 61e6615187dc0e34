// What can be set on the connections of stacks that speak HTTP, in whichever version.
import { connectionSettings } from "../connection-settings.ts";
import { settingsWith, type SettingsOf } from "../settings.ts";
import type { Setting, Settings } from "../stack.ts";

export const maxConnectionIdleMs = {
  name: "maxConnectionIdleMs",
  end: "server",
  meaning: "how long a connection is kept for the next call; its client opens another after that",
  // Longer than any pause between two blocks of a run: who pauses finds the connection open, on every style alike.
  default: 300_000,
  values: { least: 1, most: 2 ** 31 - 1 },
} as const satisfies Setting;

/** Of every stack that speaks HTTP/1.1. */
export const httpSettings = [...connectionSettings, maxConnectionIdleMs] as const satisfies readonly Setting[];

/** What is given, and the defaults of the rest. Throws a StackError `unusable-setting` for what HTTP does not have. */
export function httpSettingsWith(given: Settings): SettingsOf<typeof httpSettings> {
  return settingsWith(httpSettings, given);
}
