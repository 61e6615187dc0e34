// The servers and clients of GraphQL: what each needs and cannot do. Importing this loads none of them.
import type { ClientBinding, PlainSetting, ServerBinding } from "../basics/stack.ts";
import { httpServerBinding, undiciBinding } from "../shared/settings.ts";

export const servers: Readonly<Record<string, ServerBinding>> = {
  apollo: httpServerBinding("@apollo/server", "express"),
  mercurius: httpServerBinding("mercurius", "fastify"),
  yoga: httpServerBinding("graphql-yoga"),
  // The reference implementation of GraphQL over HTTP, on node:http.
  "graphql-http": httpServerBinding("graphql-http"),
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
  undici: undiciBinding,
  // Over the fetch of Node.js, on connections of undici.
  "graphql-request": {
    ...undiciBinding,
    // It loads graphql to parse documents.
    libraries: ["graphql-request", "graphql", ...undiciBinding.libraries],
    limitations: [
      { feature: "anyPort", reason: "fetch refuses the ports of other protocols, such as 6000 (Fetch, port blocking)" },
    ],
    settings: [...undiciBinding.settings, ...graphqlRequestSettings],
  },
};
