// The settings of a server or service that runs until it is interrupted: one value each.
import type { SettingLevels } from "@roundtrip/runner";
import type { Settings, SettingValue } from "@roundtrip/stacks";
import { CliError } from "../basics/cli-error.ts";
import type { Settable } from "./settable.ts";

function onlyValue(stack: Settable, setting: string, values: readonly SettingValue[]): SettingValue {
  const place = `--set ${stack.name}.${setting}`;
  if (stack.settings.find(({ name }) => name === setting)?.end === "client") {
    throw new CliError("usage", `${place}: client setting; not valid for a server`);
  }
  const [value, ...others] = values;
  if (value === undefined || others.length > 0) {
    throw new CliError("usage", `${place}: give one value for a server, got ${values.join(", ")}`);
  }
  return value;
}

/** The settings of one server or service. Throws a usage error for several values, and for a client setting. */
export function servedSettings(stack: Settable, levels: SettingLevels): Settings {
  const ofStack = Object.entries(levels[stack.name] ?? {});
  return Object.fromEntries(ofStack.map(([setting, values]) => [setting, onlyValue(stack, setting, values)]));
}
