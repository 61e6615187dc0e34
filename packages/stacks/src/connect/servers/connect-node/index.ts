// The Connect server on Connect's library for Node.js.
import type { ServerBinding } from "../../../basics/stack.ts";
import { connectNodeDeviations } from "../../../shared/connect-node/deviations.ts";
import { serverSettings } from "./server-settings.ts";

export const server: ServerBinding = {
  libraries: ["@connectrpc/connect", "@connectrpc/connect-node"],
  limitations: [],
  deviations: connectNodeDeviations,
  settings: serverSettings,
};
