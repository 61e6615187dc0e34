// The gRPC server on grpc-js.
import type { ServerBinding } from "../../../basics/stack.ts";
import { http2ServerSettings } from "../../../shared/http2/http2-settings.ts";

export const server: ServerBinding = {
  libraries: ["@grpc/grpc-js"],
  limitations: [],
  deviations: [
    {
      caseId: "RT-1214",
      reason: "@grpc/grpc-js answers a malformed grpc-timeout itself, as INTERNAL, before a service can",
    },
  ],
  settings: http2ServerSettings,
};
