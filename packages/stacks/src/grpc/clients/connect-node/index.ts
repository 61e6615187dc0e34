// The gRPC client on Connect's library for Node.js.
import type { ClientBinding } from "../../../basics/stack.ts";
import { clientSettings } from "../../client-settings.ts";

export const client: ClientBinding = {
  libraries: ["@connectrpc/connect", "@connectrpc/connect-node"],
  limitations: [],
  deviations: [],
  settings: clientSettings,
  connectRoundTrips: 0,
  callsAtOnce: "side-by-side",
};
