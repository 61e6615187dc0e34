// The server and client of the floor: an echo over TCP, without libraries.
import type { ClientBinding, PlainSetting, ServerBinding } from "../basics/stack.ts";
import { clientConnectionSettings, keepAlive } from "../shared/settings.ts";

export const floorClientSettings = [
  ...clientConnectionSettings,
  {
    name: "echoes",
    meaning:
      "whether calls after the first are echoes; otherwise each is encoded, served and decoded, as an RPC over TCP",
    default: true,
    values: [true, false],
  },
] as const satisfies readonly PlainSetting[];

const nothing = { libraries: [], limitations: [], deviations: [] };

export const servers: Readonly<Record<string, ServerBinding>> = { floor: { ...nothing, settings: [keepAlive] } };

export const clients: Readonly<Record<string, ClientBinding>> = {
  floor: { ...nothing, settings: floorClientSettings, connectRoundTrips: 0, callsAtOnce: "in-order" },
};
