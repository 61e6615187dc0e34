// The gRPC client on node:http2, without a library.
import type { ClientBinding } from "../../../basics/stack.ts";
import { clientSettings } from "../../client-settings.ts";

export const client: ClientBinding = {
  libraries: [],
  limitations: [],
  deviations: [],
  settings: clientSettings,
  connectRoundTrips: 0,
  callsAtOnce: "side-by-side",
};
