// Serves a contract as REST on node:http, without a library.
import { nodeListener } from "../../../shared/node-server/node-listener.ts";
import { restBy } from "../../serve-rest.ts";
import { decodedBytes } from "../../../shared/node-server/decoded-bytes.ts";

export const serve = restBy((rest, options) => nodeListener(rest, decodedBytes(options.maxMessageBytes), options));
