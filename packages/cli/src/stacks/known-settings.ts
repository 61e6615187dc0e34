// Settings of stacks and services: which there are, and those of `--set`.
import type { Contract } from "@roundtrip/contract";
import { serviceSettings } from "@roundtrip/service/settings";
import {
  type Setting,
  type Settings,
  settingsWith,
  type SettingValue,
  type Stack,
  StackError,
  stackNames,
} from "@roundtrip/stacks";
import type { SettingLevels } from "@roundtrip/runner";
import { CliError, requireKnown } from "../basics/cli-error.ts";
import type { TypedSetting } from "../options/key-values.ts";

export type Settable = Pick<Stack, "name" | "title" | "settings">;

/** The services of the built-in contract that have settings. */
export const settableServices: readonly Settable[] = Object.entries(serviceSettings).map(([name, settings]) => ({
  name,
  title: "service",
  settings: settings.map((setting) => ({ ...setting, end: "server" as const })),
}));

const packageOfServices = "roundtrip.v1";

/** The settable services of a contract: `matrix` is `roundtrip.v1.MatrixService`. */
export function settableServicesOf(contract: Contract): readonly Settable[] {
  const names = new Set(contract.operations.map(({ method }) => method.parent.typeName.toLowerCase()));
  return settableServices.filter(({ name }) => names.has(`${packageOfServices}.${name}service`));
}

export const serviceDefaults: Readonly<Record<string, Settings>> = Object.fromEntries(
  settableServices.map(({ name, settings }) => [
    name,
    Object.fromEntries(settings.map((one) => [one.name, one.default])),
  ]),
);

function nameOf({ stack, setting }: TypedSetting): string {
  return `--set ${stack}.${setting}`;
}

interface Choice {
  readonly partTaken: "measured" | "served" | "exported";
  readonly services: readonly Settable[];
}

function settableOf(typed: TypedSetting, stacks: readonly Stack[], { partTaken, services }: Choice): Settable {
  const service = services.find(({ name }) => name === typed.stack);
  if (service !== undefined) return service;
  const what = services.length === 0 ? "stack" : "stack or service";
  requireKnown(what, typed.stack, [...stackNames(), ...services.map(({ name }) => name)]);
  const found = stacks.find(({ name }) => name === typed.stack);
  if (found !== undefined) return found;
  const names = stacks.map(({ name }) => name).join(", ");
  throw new CliError("usage", `${nameOf(typed)}: ${typed.stack} is not ${partTaken} (${partTaken}: ${names})`);
}

function declaredAs(typed: TypedSetting, { settings }: Settable): Setting {
  const names = settings.map(({ name }) => name);
  if (names.length === 0) throw new CliError("usage", `${nameOf(typed)}: ${typed.stack} has nothing that can be set`);
  requireKnown("setting", typed.setting, names, typed.stack);
  return settings[names.indexOf(typed.setting)] as Setting;
}

function valueOf(typed: string, setting: Setting, place: string): SettingValue {
  const { name, values } = setting;
  const listed: readonly SettingValue[] = "least" in values || "text" in values ? [] : values;
  const isNumber = "least" in values && /^-?\d+(\.\d+)?$/.test(typed);
  const value = isNumber ? Number(typed) : (listed.find((one) => String(one) === typed) ?? typed);
  try {
    settingsWith([setting], { [name]: value });
    return value;
  } catch (cause) {
    if (!(cause instanceof StackError)) throw cause;
    throw new CliError("usage", `${place}: ${cause.message}`, { cause });
  }
}

/**
 * The levels of the typed settings; repeated settings add levels. Throws a usage error for an unknown stack, service or setting, a value out of
 * range, and a stack that does not take part.
 * @param partTaken `measured` or `served`.
 * @param services whose settings may be typed
 */
export function knownSettings(
  typedSettings: readonly TypedSetting[] | undefined,
  stacks: readonly Stack[],
  partTaken: Choice["partTaken"],
  services: readonly Settable[] = settableServices,
): SettingLevels {
  const levels: Record<string, Record<string, readonly SettingValue[]>> = {};
  for (const typed of typedSettings ?? []) {
    const setting = declaredAs(typed, settableOf(typed, stacks, { partTaken, services }));
    const values = typed.values.map((value) => valueOf(value, setting, nameOf(typed)));
    const ofStack = (levels[typed.stack] ??= {});
    ofStack[setting.name] = [...new Set([...(ofStack[setting.name] ?? []), ...values])];
  }
  return levels;
}

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
