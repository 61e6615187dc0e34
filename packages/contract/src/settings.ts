// What can be set on a server beyond its contract, declared as data by stacks and services, so that studies can hold it as a factor.

export type SettingValue = string | number | boolean;

/** Something that can be set. */
export interface Setting {
  /** In camelCase with its unit, as a factor is called. */
  readonly name: string;
  readonly meaning: string;
  readonly default: SettingValue;
  /** All that it may be, or a range of whole numbers. */
  readonly values: readonly SettingValue[] | { readonly least: number; readonly most: number };
}

/** Settings by name; those that are not there have their default. */
export type Settings = Readonly<Record<string, SettingValue>>;

/** The settings of a declaration, with the type that each default has. */
export type SettingsOf<D extends readonly Setting[]> = {
  readonly [S in D[number] as S["name"]]: S["default"] extends number
    ? number
    : S["default"] extends boolean
      ? boolean
      : string;
};

function valueFault({ name, default: usual, values }: Setting, value: SettingValue): string | undefined {
  if ("least" in values) {
    const { least, most } = values;
    const fits = typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
    return fits ? undefined : `${name} is a whole number from ${least} to ${most} (${usual} unless set), not ${value}`;
  }
  return values.includes(value)
    ? undefined
    : `${name} is one of ${values.join(", ")} (${usual} unless set), not ${value}`;
}

/** The first thing that is given and not declared so, in words; undefined when there is none. */
export function settingFault(declared: readonly Setting[], given: Settings): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    const setting = declared.find((one) => one.name === name);
    const names = declared.map((one) => one.name).join(", ");
    const why =
      setting === undefined
        ? `there is no setting ${name} (there ${names === "" ? "are none" : `are ${names}`})`
        : valueFault(setting, value);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** What is given, without {@link settingFault}, and the defaults of the rest. */
export function withDefaults<D extends readonly Setting[]>(declared: D, given: Settings): SettingsOf<D> {
  return Object.fromEntries(declared.map((one) => [one.name, given[one.name] ?? one.default])) as SettingsOf<D>;
}
