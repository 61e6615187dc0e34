// Settings of the connections of HTTP servers, in every version.
import { keepAlive } from "./connection-settings.ts";
import { settingsWith, type SettingsOf } from "./settings.ts";
import type { PlainSetting, ServerBinding, Settings } from "../basics/stack.ts";

/** Timers and counts have 31 bits; this maximum is for milliseconds and connections. */
export const most = 2 ** 31 - 1;

export const maxConnectionIdleMs = {
  name: "maxConnectionIdleMs",
  meaning: "milliseconds before the server closes an idle connection",
  // Longer than any pause between two blocks of a run, so that clients of every style find the connection open.
  default: 300_000,
  values: { least: 1, most },
} as const satisfies PlainSetting;

export const httpServerSettings = [
  keepAlive,
  maxConnectionIdleMs,
  {
    name: "keepAliveHint",
    meaning:
      "whether answers state the idle limit (Keep-Alive: timeout); without it a call may reach a connection that just closed",
    default: true,
    values: [true, false],
  },
] as const satisfies readonly PlainSetting[];

export function httpServerBinding(...libraries: readonly string[]): ServerBinding {
  return { libraries, limitations: [], deviations: [], settings: httpServerSettings };
}

/** Fills in the defaults. Throws a StackError `unusable-setting` for unknown settings. */
export function httpServerSettingsWith(given: Settings): SettingsOf<typeof httpServerSettings> {
  return settingsWith(httpServerSettings, given);
}
