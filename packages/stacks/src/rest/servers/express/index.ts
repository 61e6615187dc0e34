// REST served by express.
import { httpServerSettings } from "../../../shared/http-settings.ts";
import type { ServerBinding } from "../../../stack.ts";

export const server: ServerBinding = {
  libraries: ["express"],
  limitations: [],
  deviations: [],
  settings: httpServerSettings,
};
