// The gRPC server on node:http2, without a library.
import type { ServerBinding } from "../../../basics/stack.ts";
import { http2ServerSettings } from "../../../shared/http2/http2-settings.ts";

export const server: ServerBinding = {
  libraries: [],
  limitations: [],
  deviations: [],
  settings: http2ServerSettings,
};
