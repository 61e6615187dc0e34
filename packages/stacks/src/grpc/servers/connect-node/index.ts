// The gRPC server on Connect's library for Node.js.
import type { ServerBinding } from "../../../basics/stack.ts";
import { connectNodeDeviations } from "../../../shared/connect-node/deviations.ts";
import { http2ServerSettings } from "../../../shared/http2/http2-settings.ts";

export const server: ServerBinding = {
  libraries: ["@connectrpc/connect", "@connectrpc/connect-node"],
  limitations: [],
  deviations: connectNodeDeviations,
  settings: http2ServerSettings,
};
