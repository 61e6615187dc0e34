// Subjects of --set: stacks, and services, whose settings apply to every stack's server.
import type { Contract } from "@roundtrip/contract";
import { serviceSettings } from "@roundtrip/service/settings";
import type { Settings, Stack } from "@roundtrip/stacks";

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
