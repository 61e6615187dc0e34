// What has settings for --set: stacks, and the services behind them, whose settings apply to every stack's server.
import type { Contract } from "@roundtrip/contract";
import { serviceSettings } from "@roundtrip/service/settings";
import type { Settings, Stack } from "@roundtrip/stacks";

export type Settable = Pick<Stack, "name" | "title" | "settings">;

/** The services of this project's contract that have settings. */
export const settableServices: readonly Settable[] = Object.entries(serviceSettings).map(([name, settings]) => ({
  name,
  title: "service",
  settings: settings.map((setting) => ({ ...setting, end: "server" as const })),
}));

const packageOfServices = "roundtrip.v1";

/** Those that a contract has: `matrix` is `roundtrip.v1.MatrixService`. */
export function settableServicesOf(contract: Contract): readonly Settable[] {
  const names = new Set(contract.operations.map(({ method }) => method.parent.typeName.toLowerCase()));
  return settableServices.filter(({ name }) => names.has(`${packageOfServices}.${name}service`));
}

/** What services hold unless something is set on them. */
export const serviceDefaults: Readonly<Record<string, Settings>> = Object.fromEntries(
  settableServices.map(({ name, settings }) => [
    name,
    Object.fromEntries(settings.map((one) => [one.name, one.default])),
  ]),
);
