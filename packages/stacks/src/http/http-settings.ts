// What can be set on the connections of stacks that speak HTTP, in whichever version.
import { connectionSettings } from "../connection-settings.ts";
import { settingsWith, type SettingsOf } from "../settings.ts";
import type { Setting, Settings } from "../stack.ts";

// Timers and counts have 31 bits.
const most = 2 ** 31 - 1;

/** So many connections are as many as anybody opens. */
export const anyNumberOfConnections = most;

export const maxConnectionIdleMs = {
  name: "maxConnectionIdleMs",
  end: "server",
  meaning: "how long a connection is kept for the next call; its client opens another after that",
  // Longer than any pause between two blocks of a run: who pauses finds the connection open, on every style alike.
  default: 300_000,
  values: { least: 1, most },
} as const satisfies Setting;

/** Of every stack that speaks HTTP/1.1. */
export const httpSettings = [
  ...connectionSettings,
  maxConnectionIdleMs,
  {
    name: "keepAliveHint",
    end: "server",
    meaning: "whether answers tell how long their connection is kept; without that, a call may meet its end",
    default: true,
    values: [true, false],
  },
  {
    name: "idleConnections",
    end: "client",
    meaning: "connections that are kept while no call is on them; one that is over when there are as many is closed",
    default: anyNumberOfConnections,
    values: { least: 0, most: anyNumberOfConnections },
  },
  {
    name: "clientIdleTimeoutMs",
    end: "client",
    meaning: "how long the client keeps a connection without calls, if its server does not ask for less",
    default: 600_000,
    values: { least: 1, most },
  },
] as const satisfies readonly Setting[];

/** What is given, and the defaults of the rest. Throws a StackError `unusable-setting` for what HTTP does not have. */
export function httpSettingsWith(given: Settings): SettingsOf<typeof httpSettings> {
  return settingsWith(httpSettings, given);
}
