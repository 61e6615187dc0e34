// gRPC called by grpc-js.
import type { ClientBinding } from "../../../basics/stack.ts";
import { grpcJsClientSettings } from "../../grpc-js/grpc-js-settings.ts";

export const client: ClientBinding = {
  libraries: ["@grpc/grpc-js"],
  limitations: [
    {
      feature: "tlsResumption",
      reason: "grpc-js keeps no TLS session for a next connection: each has a full handshake",
    },
  ],
  deviations: [],
  settings: grpcJsClientSettings,
  // The server's SETTINGS, which HTTP/2 lets a client not wait for, and grpc-js does.
  connectRoundTrips: 1,
  callsAtOnce: "side-by-side",
};
