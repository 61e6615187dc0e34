// Settings of the services behind servers, for any stack: each combination of their levels is a configuration of every stack.
import { stackNames, type Settings, type SettingValue } from "@roundtrip/stacks";

export type LevelsOfStack = Readonly<Record<string, readonly SettingValue[]>>;

/** The levels of settings by stack or service; missing ones have their default. */
export type SettingLevels = Readonly<Record<string, LevelsOfStack>>;

/** Settings by service; a missing setting has its default. */
export type ServiceSettings = Readonly<Record<string, Settings>>;

export const usualService: ServiceSettings = {};

/** Every combination of the levels of service settings; {@link usualService} alone without any. The service checks whether it has them. */
export function serviceSettingsOf(levels: SettingLevels): readonly ServiceSettings[] {
  const stacks = new Set(stackNames());
  const varied = Object.entries(levels)
    .filter(([service]) => !stacks.has(service))
    .flatMap(([service, ofService]) =>
      Object.entries(ofService).map(([name, values]) => ({ service, name, values: [...new Set(values)] })),
    );
  return varied.reduce<readonly ServiceSettings[]>(
    (sets, { service, name, values }) =>
      sets.flatMap((set) => values.map((value) => ({ ...set, [service]: { ...set[service], [name]: value } }))),
    [usualService],
  );
}

/** The same as factors of arms: `matrix.threads`. */
export function serviceFactors(services: ServiceSettings): Settings {
  return Object.fromEntries(
    Object.entries(services).flatMap(([service, settings]) =>
      Object.entries(settings).map(([name, value]) => [`${service}.${name}`, value]),
    ),
  );
}
