// The client of the floor: an echo over TCP.
import { clientConnectionSettings } from "../../../shared/connection-settings.ts";
import type { ClientBinding } from "../../../basics/stack.ts";

export const client: ClientBinding = {
  libraries: [],
  limitations: [],
  deviations: [],
  settings: clientConnectionSettings,
  connectRoundTrips: 0,
  callsAtOnce: "in-order",
};
