// The JSON-RPC server on the package json-rpc-2.0 and node:http.
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const server = httpServerBinding("json-rpc-2.0");
