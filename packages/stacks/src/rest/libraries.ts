// The servers and clients of REST: what each needs and cannot do. Importing this loads none of them.
import type { ClientBinding, ServerBinding } from "../basics/stack.ts";
import { compressingBinding, compressingServerBinding } from "../shared/settings.ts";

export const servers: Readonly<Record<string, ServerBinding>> = {
  // The package compression has no zstd.
  express: compressingServerBinding(["gzip", "br"], "express"),
  fastify: compressingServerBinding(["gzip", "br", "zstd"], "fastify"),
  // Its middleware has gzip and deflate alone.
  hono: compressingServerBinding(["gzip"], "hono", "@hono/node-server"),
  // On Node.js alone: the lower bound of what a server library can cost.
  "node-http": compressingServerBinding(["gzip", "br", "zstd"]),
};

export const clients: Readonly<Record<string, ClientBinding>> = {
  undici: compressingBinding,
  // Over node:http, on connections that undici opens.
  axios: { ...compressingBinding, libraries: ["axios", ...compressingBinding.libraries] },
  fetch: {
    ...compressingBinding,
    limitations: [
      { feature: "anyPort", reason: "fetch refuses the ports of other protocols, such as 6000 (Fetch, port blocking)" },
      { feature: "traceMethod", reason: "fetch sends no TRACE (Fetch, forbidden methods)" },
      { feature: "bodyOfGet", reason: "fetch sends no body with GET and HEAD" },
    ],
  },
};
