// The settings of the contract's services, by service name.
import {
  CallError,
  settingFault,
  withDefaults,
  type PlainSetting,
  type Settings,
  type SettingsOf,
} from "@roundtrip/contract";

/** The settings of the matrix service, with their defaults. */
const matrixSettings = [
  {
    name: "threads",
    meaning: "worker threads, each computing one power at a time; they start with the first request",
    default: 1,
    values: [1, 2, 4, 8, 16],
  },
  {
    name: "queueLimit",
    meaning: "maximum waiting requests while all threads compute",
    default: 1_000_000,
    values: { least: 0, most: 1_000_000 },
  },
  {
    name: "cache",
    meaning: "how many of the last powers are cached, first in, first out",
    default: 0,
    values: { least: 0, most: 100_000 },
  },
] as const satisfies readonly PlainSetting[];

/** The settings of the customer service, with their defaults. */
const customerSettings = [
  {
    name: "count",
    meaning: "how many customers it starts with",
    default: 1_000,
    values: { least: 1, most: 1_000_000 },
  },
] as const satisfies readonly PlainSetting[];

/** The services with settings. Their names differ from those of all stacks. */
export const serviceSettings = { matrix: matrixSettings, customers: customerSettings } as const satisfies Readonly<
  Record<string, readonly PlainSetting[]>
>;

/** Settings by service. Missing settings have their defaults. */
export type GivenServiceSettings = Readonly<Record<string, Settings>>;

/** Throws INVALID_ARGUMENT for settings of a service without any. */
export function requireKnownServices(given: GivenServiceSettings): void {
  const known = Object.keys(serviceSettings);
  const strange = Object.keys(given).find((service) => !known.includes(service));
  if (strange === undefined) return;
  throw new CallError(
    "INVALID_ARGUMENT",
    `service ${strange} has no settings (services with settings: ${known.join(", ")})`,
  );
}

/** The settings of one service. Throws INVALID_ARGUMENT for unknown or invalid ones. */
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
