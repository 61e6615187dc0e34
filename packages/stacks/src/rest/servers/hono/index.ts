// REST served by Hono, on its adapter for Node.js.
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const server = httpServerBinding("hono", "@hono/node-server");
