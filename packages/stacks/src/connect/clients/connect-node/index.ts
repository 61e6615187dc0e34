// The Connect client on Connect's library for Node.js, over HTTP/1.1 on connections that undici opens, or over HTTP/2.
import type { ClientBinding } from "../../../basics/stack.ts";
import { undiciBinding } from "../../../shared/undici/undici-settings.ts";
import { clientSettings } from "./client-settings.ts";

export const client: ClientBinding = {
  ...undiciBinding,
  libraries: ["@connectrpc/connect", "@connectrpc/connect-node", ...undiciBinding.libraries],
  settings: clientSettings,
};
