// REST served by Fastify.
import { httpServerSettings } from "../../../shared/http-settings.ts";
import type { ServerBinding } from "../../../stack.ts";

export const server: ServerBinding = {
  libraries: ["fastify"],
  limitations: [],
  deviations: [],
  settings: httpServerSettings,
};
