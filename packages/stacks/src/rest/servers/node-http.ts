// Serves a contract as REST on node:http, without a library.
import { nodeListener } from "../../shared/node-server/http-listener.ts";
import { restBy } from "../serve-rest.ts";
import { decodedBytes } from "../../shared/node-server/request-body.ts";

export const serve = restBy((rest, options) => nodeListener(rest, decodedBytes(options.maxMessageBytes), options));
