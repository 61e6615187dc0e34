// The settings of undici connections, for every style.
import type { SettingsOf } from "@roundtrip/contract";
import type { ClientBinding, PlainSetting, Settings } from "../../basics/stack.ts";
import { clientConnectionSettings } from "../connection-settings.ts";
import { most } from "../http-settings.ts";
import { settingsWith } from "../settings.ts";

export const undiciSettings = [
  ...clientConnectionSettings,
  {
    name: "idleConnections",
    meaning: "maximum idle connections that the client keeps open",
    default: most,
    values: { least: 0, most: most },
  },
  {
    name: "clientIdleTimeoutMs",
    meaning: "milliseconds before the client closes an idle connection, unless its server asks for less",
    default: 600_000,
    values: { least: 1, most },
  },
] as const satisfies readonly PlainSetting[];

export const undiciBinding: ClientBinding = {
  libraries: ["undici"],
  limitations: [],
  deviations: [],
  settings: undiciSettings,
  connectRoundTrips: 0,
  callsAtOnce: "one-each",
};

/** Fills in the defaults. Throws a StackError `unusable-setting` for unknown settings. */
export function undiciSettingsWith(given: Settings): SettingsOf<typeof undiciSettings> {
  return settingsWith(undiciSettings, given);
}
