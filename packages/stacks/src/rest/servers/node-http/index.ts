// REST served by node:http alone: the lower bound of what a server library can cost.
import { httpServerSettings } from "../../../shared/http-settings.ts";
import type { ServerBinding } from "../../../stack.ts";

export const server: ServerBinding = { libraries: [], limitations: [], deviations: [], settings: httpServerSettings };
