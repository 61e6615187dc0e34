// What can be set on the connections of servers that speak HTTP, in whichever version.
import { keepAlive } from "./connection-settings.ts";
import { settingsWith, type SettingsOf } from "./settings.ts";
import type { PlainSetting, ServerBinding, Settings } from "../basics/stack.ts";

/** Timers and counts have 31 bits: as many milliseconds, or connections, as anybody asks for. */
export const most = 2 ** 31 - 1;

export const maxConnectionIdleMs = {
  name: "maxConnectionIdleMs",
  meaning: "how long a connection is kept for the next call; its client opens another after that",
  // Longer than any pause between two blocks of a run: who pauses finds the connection open, on every style alike.
  default: 300_000,
  values: { least: 1, most },
} as const satisfies PlainSetting;

/** Of every server that speaks HTTP/1.1. */
export const httpServerSettings = [
  keepAlive,
  maxConnectionIdleMs,
  {
    name: "keepAliveHint",
    meaning: "whether answers state how long their connection is kept; otherwise a call may meet a closed one",
    default: true,
    values: [true, false],
  },
] as const satisfies readonly PlainSetting[];

/** A library that serves HTTP/1.1 and fails no conformance case. */
export function httpServerBinding(...libraries: readonly string[]): ServerBinding {
  return { libraries, limitations: [], deviations: [], settings: httpServerSettings };
}

/** What is given, and the defaults of the rest. Throws a StackError `unusable-setting` for what HTTP does not have. */
export function httpServerSettingsWith(given: Settings): SettingsOf<typeof httpServerSettings> {
  return settingsWith(httpServerSettings, given);
}
