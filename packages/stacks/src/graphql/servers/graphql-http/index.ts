// The GraphQL server on graphql-http, the reference implementation of GraphQL over HTTP, and node:http.
import type { PlainSetting } from "../../../basics/stack.ts";
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const ownSettings = [
  {
    name: "documentCache",
    meaning: "caches validated documents; otherwise graphql-http parses and validates the document of every request",
    default: true,
    values: [true, false],
  },
] as const satisfies readonly PlainSetting[];

const http = httpServerBinding("graphql-http");

export const server = { ...http, settings: [...http.settings, ...ownSettings] };
