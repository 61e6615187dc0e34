// The GraphQL server on mercurius and Fastify.
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const server = httpServerBinding("mercurius", "fastify");
