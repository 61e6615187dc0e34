// GraphQL served by Apollo Server on Express.
import { httpServerSettings } from "../../../shared/http-settings.ts";
import type { ServerBinding } from "../../../stack.ts";

export const server: ServerBinding = {
  libraries: ["@apollo/server", "@as-integrations/express5", "express"],
  limitations: [],
  deviations: [],
  settings: httpServerSettings,
};
