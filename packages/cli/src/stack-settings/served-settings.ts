// What a server is told: one value for each setting, and none that is its clients' own.
import type { SettingLevels } from "@roundtrip/runner";
import type { Settings, SettingValue } from "@roundtrip/stacks";
import { CliError } from "../basics/cli-error.ts";
import type { Settable } from "./settable.ts";

function onlyValue(stack: Settable, setting: string, values: readonly SettingValue[]): SettingValue {
  const place = `--set ${stack.name}.${setting}`;
  if (stack.settings.find(({ name }) => name === setting)?.end === "client") {
    throw new CliError("usage", `${place}: it is a setting of clients, and a server has no say in it`);
  }
  const [value, ...others] = values;
  if (value === undefined || others.length > 0) {
    throw new CliError("usage", `${place}: a server has one value of it at a time (given: ${values.join(", ")})`);
  }
  return value;
}

/** The settings of one stack's server, or of one service. Throws a usage error for several values, and for a setting of the client alone. */
export function servedSettings(stack: Settable, levels: SettingLevels): Settings {
  const ofStack = Object.entries(levels[stack.name] ?? {});
  return Object.fromEntries(ofStack.map(([setting, values]) => [setting, onlyValue(stack, setting, values)]));
}
