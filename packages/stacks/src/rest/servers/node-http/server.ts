// Serves a contract as REST on node:http, without a library.
import type { Service } from "@roundtrip/contract";
import type { RequestListener } from "node:http";
import { serveHttp } from "../../../shared/node-server/http-server.ts";
import { nodeListener } from "../../../shared/node-server/node-listener.ts";
import type { Serve, ServeOptions } from "../../../stack.ts";
import { restService, writeProblem } from "@roundtrip/styles/rest/server";
import { wholeBody } from "./whole-body.ts";

function listenerOf(service: Service, options: ServeOptions): RequestListener {
  const { maxMessageBytes, maxRequestMs } = options;
  return nodeListener(restService(service, options), { readBody: wholeBody(maxMessageBytes), maxRequestMs });
}

/** Serves REST with JSON; see `schema/openapi.yaml` for what that looks like. */
export const serve: Serve = async (service, options) => {
  const http = await serveHttp(listenerOf(service, options), options, writeProblem);
  return {
    ...http,
    // oxlint-disable-next-line require-await -- what cannot be served rejects, as with every style
    replace: async (next) => http.replace(listenerOf(next, options)),
  };
};
