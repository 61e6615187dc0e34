// The JSON-RPC server on node:http alone: the lower bound of what a server library can cost.
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const server = httpServerBinding();
