// What can be set on the services of the contract: by the service's name, as stacks have theirs.
import {
  CallError,
  settingFault,
  withDefaults,
  type Setting,
  type Settings,
  type SettingsOf,
} from "@roundtrip/contract";
import { matrixSettings } from "./matrix/settings.ts";

/** The services that have settings. No stack has such a name. */
export const serviceSettings = { matrix: matrixSettings } as const satisfies Readonly<
  Record<string, readonly Setting[]>
>;

/** Settings by service; what is not there has its default. */
export type GivenServiceSettings = Readonly<Record<string, Settings>>;

/** Throws INVALID_ARGUMENT for settings of a service that has none. */
export function requireKnownServices(given: GivenServiceSettings): void {
  const known = Object.keys(serviceSettings);
  const strange = Object.keys(given).find((service) => !known.includes(service));
  if (strange === undefined) return;
  throw new CallError("INVALID_ARGUMENT", `no service ${strange} has settings (${known.join(", ")} has)`);
}

/** The settings of one service. Throws INVALID_ARGUMENT for what it does not declare. */
export function settingsOf<S extends keyof typeof serviceSettings>(
  service: S,
  given: GivenServiceSettings,
): SettingsOf<(typeof serviceSettings)[S]> {
  const declared = serviceSettings[service];
  const own = given[service] ?? {};
  const fault = settingFault(declared, own);
  if (fault !== undefined) throw new CallError("INVALID_ARGUMENT", `${service}: ${fault}`);
  return withDefaults(declared, own);
}
