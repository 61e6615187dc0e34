// The GraphQL client on graphql-request, over the fetch of Node.js on connections of undici.
import type { ClientBinding, PlainSetting } from "../../../basics/stack.ts";
import { undiciBinding } from "../../../shared/undici/undici-settings.ts";

export const ownSettings = [
  {
    name: "excludeOperationName",
    meaning: "omits the operation name; to find it, graphql-request parses the document of every call",
    default: true,
    values: [true, false],
  },
] as const satisfies readonly PlainSetting[];

export const client: ClientBinding = {
  ...undiciBinding,
  // It loads graphql to parse documents.
  libraries: ["graphql-request", "graphql", ...undiciBinding.libraries],
  limitations: [
    { feature: "anyPort", reason: "fetch refuses the ports of other protocols, such as 6000 (Fetch, port blocking)" },
  ],
  settings: [...undiciBinding.settings, ...ownSettings],
};
