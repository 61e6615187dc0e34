// The servers and clients of GraphQL: what each needs and cannot do. Importing this loads none of them.
import type { ClientBinding, PlainSetting, ServerBinding } from "../basics/stack.ts";
import { compressingBinding, compressingServerBinding, fetchBinding } from "../shared/settings.ts";

export const servers: Readonly<Record<string, ServerBinding>> = {
  // Express and Fastify compress, with the codings that they have over REST; the others are on node:http.
  apollo: compressingServerBinding(["gzip", "br"], "@apollo/server", "express"),
  mercurius: compressingServerBinding(["gzip", "br", "zstd"], "mercurius", "fastify"),
  yoga: compressingServerBinding(["gzip", "br", "zstd"], "graphql-yoga"),
  // The reference implementation of GraphQL over HTTP, on node:http.
  "graphql-http": compressingServerBinding(["gzip", "br", "zstd"], "graphql-http"),
};

export const graphqlRequestSettings = [
  {
    name: "excludeOperationName",
    meaning: "omits the operation name; to find it, graphql-request parses the document of every call",
    default: true,
    values: [true, false],
  },
] as const satisfies readonly PlainSetting[];

export const clients: Readonly<Record<string, ClientBinding>> = {
  undici: compressingBinding,
  // Over the fetch of Node.js, on connections of undici.
  "graphql-request": {
    ...fetchBinding,
    // It loads graphql to parse documents.
    libraries: ["graphql-request", "graphql", ...fetchBinding.libraries],
    limitations: [
      { feature: "anyPort", reason: "fetch refuses the ports of other protocols, such as 6000 (Fetch, port blocking)" },
    ],
    settings: [...fetchBinding.settings, ...graphqlRequestSettings],
  },
};
