// The servers and clients of JSON-RPC: what each needs and cannot do. Importing this loads none of them.
import type { ClientBinding, ServerBinding } from "../basics/stack.ts";
import { httpServerBinding, undiciBinding } from "../shared/settings.ts";

export const servers: Readonly<Record<string, ServerBinding>> = {
  "json-rpc-2": httpServerBinding("json-rpc-2.0"),
  // On Node.js alone: the lower bound of what a server library can cost.
  "node-http": httpServerBinding(),
};

export const clients: Readonly<Record<string, ClientBinding>> = {
  undici: undiciBinding,
  "json-rpc-2": { ...undiciBinding, libraries: ["json-rpc-2.0", ...undiciBinding.libraries] },
};
