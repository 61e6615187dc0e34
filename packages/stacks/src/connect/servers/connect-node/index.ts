// The Connect server on Connect's library for Node.js.
import type { ServerBinding } from "../../../basics/stack.ts";
import { serverSettings } from "./server-settings.ts";

export const server: ServerBinding = {
  libraries: ["@connectrpc/connect", "@connectrpc/connect-node"],
  limitations: [],
  deviations: [],
  settings: serverSettings,
};
