// The REST server on Hono with its adapter for Node.js.
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const server = httpServerBinding("hono", "@hono/node-server");
