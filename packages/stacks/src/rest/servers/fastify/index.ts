// The REST server on Fastify.
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const server = httpServerBinding("fastify");
