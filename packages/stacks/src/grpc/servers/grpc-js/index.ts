// The gRPC server on grpc-js.
import type { ServerBinding } from "../../../basics/stack.ts";
import { grpcJsServerSettings } from "../../grpc-js/grpc-js-settings.ts";

export const server: ServerBinding = {
  libraries: ["@grpc/grpc-js"],
  limitations: [],
  deviations: [
    {
      caseId: "RT-1214",
      reason: "@grpc/grpc-js answers a malformed grpc-timeout itself, as INTERNAL, before a service can",
    },
  ],
  settings: grpcJsServerSettings,
};
