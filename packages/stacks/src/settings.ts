// What can be set on a stack beyond what every stack has: declared as data, so that studies can hold settings as factors.
import type { Setting, Settings, SettingValue } from "./stack.ts";
import { StackError } from "./stack-error.ts";

/** The settings of a declaration, with the type that each default has. */
export type SettingsOf<D extends readonly Setting[]> = {
  readonly [S in D[number] as S["name"]]: S["default"] extends number
    ? number
    : S["default"] extends boolean
      ? boolean
      : string;
};

function fault({ name, default: usual, values }: Setting, value: SettingValue): string | undefined {
  if ("least" in values) {
    const { least, most } = values;
    const fits = typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
    return fits ? undefined : `${name} is a whole number from ${least} to ${most} (${usual} unless set), not ${value}`;
  }
  return values.includes(value)
    ? undefined
    : `${name} is one of ${values.join(", ")} (${usual} unless set), not ${value}`;
}

/** What is given, and the defaults of the rest. Throws a StackError `unusable-setting` for what is not declared. */
export function settingsWith<D extends readonly Setting[]>(declared: D, given: Settings): SettingsOf<D> {
  for (const [name, value] of Object.entries(given)) {
    const setting = declared.find((one) => one.name === name);
    const names = declared.map((one) => one.name).join(", ");
    const why =
      setting === undefined
        ? `there is no setting ${name} (there ${names === "" ? "are none" : `are ${names}`})`
        : fault(setting, value);
    if (why !== undefined) throw new StackError("unusable-setting", why);
  }
  return Object.fromEntries(declared.map((one) => [one.name, given[one.name] ?? one.default])) as SettingsOf<D>;
}
