// What has settings that can be typed: stacks, and the services behind them, which every stack's server is told alike.
import { serviceSettings } from "@roundtrip/service";
import type { Settings, Stack } from "@roundtrip/stacks";

export type Settable = Pick<Stack, "name" | "title" | "settings">;

/** The services of the contract that have settings. */
export const settableServices: readonly Settable[] = Object.entries(serviceSettings).map(([name, settings]) => ({
  name,
  title: "service",
  settings: settings.map((setting) => ({ ...setting, end: "server" as const })),
}));

/** What services hold unless something is set on them. */
export const serviceDefaults: Readonly<Record<string, Settings>> = Object.fromEntries(
  settableServices.map(({ name, settings }) => [
    name,
    Object.fromEntries(settings.map((one) => [one.name, one.default])),
  ]),
);
