// The gRPC client on grpc-js.
import type { ClientBinding } from "../../../basics/stack.ts";
import { grpcJsClientSettings } from "../../grpc-js/grpc-js-settings.ts";

export const client: ClientBinding = {
  libraries: ["@grpc/grpc-js"],
  limitations: [
    {
      feature: "tlsResumption",
      reason: "grpc-js keeps no TLS session: each connection has a full handshake",
    },
  ],
  deviations: [],
  settings: grpcJsClientSettings,
  // grpc-js waits for the server's SETTINGS; HTTP/2 does not require that.
  connectRoundTrips: 1,
  callsAtOnce: "side-by-side",
};
