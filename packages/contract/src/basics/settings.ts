// Settings of servers, clients and services, declared as data, so that studies can use them as factors.

export type SettingValue = string | number | boolean;

/** The declaration of one setting, without the end of a stack that it belongs to. */
export interface PlainSetting {
  /** In camelCase, with its unit, like the name of a factor. */
  readonly name: string;
  readonly meaning: string;
  readonly default: SettingValue;
  /** The allowed values, a range of whole numbers, or text that a regular expression matches. */
  readonly values:
    | readonly SettingValue[]
    | { readonly least: number; readonly most: number }
    | { readonly text: string; readonly pattern: string };
}

/** The allowed values in words. */
export function valuesText({ values }: Pick<PlainSetting, "values">): string {
  if ("least" in values) return `${values.least} to ${values.most}`;
  return "text" in values ? values.text : values.join(", ");
}

/** Values of settings by name. A missing setting has its default. */
export type Settings = Readonly<Record<string, SettingValue>>;

/** The values of declared settings, each with the type of its default. */
export type SettingsOf<D extends readonly PlainSetting[]> = {
  readonly [S in D[number] as S["name"]]: S["default"] extends number
    ? number
    : S["default"] extends boolean
      ? boolean
      : string;
};

function valueFault({ name, default: usual, values }: PlainSetting, value: SettingValue): string | undefined {
  if ("least" in values) {
    const { least, most } = values;
    const fits = typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
    return fits
      ? undefined
      : `${name} must be a whole number from ${least} to ${most}, got ${value} (default ${usual})`;
  }
  if ("text" in values) {
    const fits = typeof value === "string" && new RegExp(values.pattern, "u").test(value);
    return fits ? undefined : `${name} must be ${values.text}, got ${value} (default ${usual})`;
  }
  return values.includes(value)
    ? undefined
    : `${name} must be one of ${values.join(", ")}, got ${value} (default ${usual})`;
}

/** An error message for the first unknown setting or invalid value; undefined if all are valid. */
export function settingFault(declared: readonly PlainSetting[], given: Settings): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    const setting = declared.find((one) => one.name === name);
    const names = declared.map((one) => one.name).join(", ");
    const why =
      setting === undefined
        ? `unknown setting ${name} (valid: ${names === "" ? "none" : names})`
        : valueFault(setting, value);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** The given settings with defaults for the rest. Check them with {@link settingFault} first. */
export function withDefaults<D extends readonly PlainSetting[]>(declared: D, given: Settings): SettingsOf<D> {
  return Object.fromEntries(declared.map((one) => [one.name, given[one.name] ?? one.default])) as SettingsOf<D>;
}
