// The server and client of the floor: an echo over TCP, without libraries.
import type { ClientBinding, ServerBinding } from "../basics/stack.ts";
import { clientConnectionSettings, keepAlive } from "../shared/settings.ts";

const nothing = { libraries: [], limitations: [], deviations: [] };

export const servers: Readonly<Record<string, ServerBinding>> = { floor: { ...nothing, settings: [keepAlive] } };

export const clients: Readonly<Record<string, ClientBinding>> = {
  floor: { ...nothing, settings: clientConnectionSettings, connectRoundTrips: 0, callsAtOnce: "in-order" },
};
