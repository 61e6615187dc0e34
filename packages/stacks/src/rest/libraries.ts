// The servers and clients of REST: what each needs and cannot do. Importing this loads none of them.
import type { ClientBinding, ServerBinding } from "../basics/stack.ts";
import { httpServerBinding, undiciBinding } from "../shared/settings.ts";

export const servers: Readonly<Record<string, ServerBinding>> = {
  express: httpServerBinding("express"),
  fastify: httpServerBinding("fastify"),
  hono: httpServerBinding("hono", "@hono/node-server"),
  // On Node.js alone: the lower bound of what a server library can cost.
  "node-http": httpServerBinding(),
};

export const clients: Readonly<Record<string, ClientBinding>> = {
  undici: undiciBinding,
  // Over node:http, on connections that undici opens.
  axios: { ...undiciBinding, libraries: ["axios", ...undiciBinding.libraries] },
  fetch: {
    ...undiciBinding,
    limitations: [
      { feature: "anyPort", reason: "fetch refuses the ports of other protocols, such as 6000 (Fetch, port blocking)" },
      { feature: "traceMethod", reason: "fetch sends no TRACE (Fetch, forbidden methods)" },
      { feature: "bodyOfGet", reason: "fetch sends no body with GET and HEAD" },
    ],
  },
};
