// The servers and clients of REST: what each needs and cannot do. Importing this loads none of them.
import type { ClientBinding, PlainSetting, ServerBinding } from "../basics/stack.ts";
import { compressingBinding, compressingServerBinding, fetchBinding } from "../shared/settings.ts";

export const servers: Readonly<Record<string, ServerBinding>> = {
  // The package compression has no zstd.
  express: compressingServerBinding(["gzip", "br"], "express"),
  fastify: compressingServerBinding(["gzip", "br", "zstd"], "fastify"),
  // Its middleware has gzip and deflate alone.
  hono: compressingServerBinding(["gzip"], "hono", "@hono/node-server"),
  // On Node.js alone: the lower bound of what a server library can cost.
  "node-http": compressingServerBinding(["gzip", "br", "zstd"]),
};

/** How every client asks for answers that stream, unless they are bytes. */
export const streamForm = {
  name: "streamForm",
  meaning: "how answers stream: lines of JSON, or server-sent events",
  default: "lines",
  values: ["lines", "events"],
} as const satisfies PlainSetting;

/** Of clients on node:http: undici and fetch refuse the header. */
export const expectContinue = {
  name: "expectContinue",
  meaning: "sends a body, not a stream, once the server asks for it (Expect: 100-continue), a round trip later",
  default: false,
  values: [true, false],
} as const satisfies PlainSetting;

/** Of every client on undici's connections. */
export const restSettings: readonly PlainSetting[] = [...compressingBinding.settings, streamForm];

const onUndici: ClientBinding = { ...compressingBinding, settings: restSettings };

export const clients: Readonly<Record<string, ClientBinding>> = {
  undici: onUndici,
  // Over node:http, on connections that undici opens.
  axios: {
    ...onUndici,
    libraries: ["axios", ...onUndici.libraries],
    settings: [...restSettings, expectContinue],
  },
  fetch: {
    ...fetchBinding,
    settings: [...fetchBinding.settings, streamForm],
    limitations: [
      { feature: "anyPort", reason: "fetch refuses the ports of other protocols, such as 6000 (Fetch, port blocking)" },
      { feature: "traceMethod", reason: "fetch sends no TRACE (Fetch, forbidden methods)" },
      { feature: "bodyOfGet", reason: "fetch sends no body with GET and HEAD" },
    ],
  },
};
