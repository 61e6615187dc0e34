// What can be set on connections whatever is spoken on them: whether they last, and what a new one costs.
import { settingsWith, type SettingsOf } from "./settings.ts";
import type { Setting, Settings } from "./stack.ts";

export const keepAlive = {
  name: "keepAlive",
  end: "server",
  meaning: "whether a connection is there for the next call; a server that does not keep it closes it after each",
  default: true,
  values: [true, false],
} as const satisfies Setting;

export const newConnectionPerCall = {
  name: "newConnectionPerCall",
  end: "client",
  meaning: "each call opens a connection of its own and closes it: every call is a first one",
  default: false,
  values: [true, false],
} as const satisfies Setting;

const tlsResumption = {
  name: "tlsResumption",
  end: "client",
  meaning: "a new connection resumes the TLS session of one before it: no certificate, the same round trips",
  default: true,
  values: [true, false],
} as const satisfies Setting;

/** Of every stack whose client this project opens connections for. */
export const connectionSettings = [
  keepAlive,
  newConnectionPerCall,
  tlsResumption,
] as const satisfies readonly Setting[];

/** What is given, and the defaults of the rest. Throws a StackError `unusable-setting` for what connections do not have. */
export function connectionSettingsWith(given: Settings): SettingsOf<typeof connectionSettings> {
  return settingsWith(connectionSettings, given);
}
