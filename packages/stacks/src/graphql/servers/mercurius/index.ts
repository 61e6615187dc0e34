// The GraphQL server on mercurius and Fastify.
import type { PlainSetting } from "../../../basics/stack.ts";
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const ownSettings = [
  {
    name: "jit",
    meaning: "compiles a document with graphql-jit at its second request, if all its arguments are variables",
    default: false,
    values: [true, false],
  },
] as const satisfies readonly PlainSetting[];

const http = httpServerBinding("mercurius", "fastify");

export const server = { ...http, settings: [...http.settings, ...ownSettings] };
