// The gRPC server on Connect's library for Node.js.
import type { ServerBinding } from "../../../basics/stack.ts";
import { http2ServerSettings } from "../../../shared/http2/http2-settings.ts";

export const server: ServerBinding = {
  libraries: ["@connectrpc/connect", "@connectrpc/connect-node"],
  limitations: [],
  deviations: [],
  settings: http2ServerSettings,
};
