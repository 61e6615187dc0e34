// The common part of REST servers.
import { restService, writeProblem } from "@roundtrip/styles/rest/server";
import type { RequestListener } from "node:http";
import { serveHttp } from "../shared/node-server/http-server.ts";
import type { Serve, ServeOptions } from "../basics/stack.ts";

type RestService = ReturnType<typeof restService>;

/** Serves REST with JSON, as in `schema/openapi.yaml`. @param listenerOf connects a library with a service; fails for what it cannot serve. */
export function restBy(
  listenerOf: (rest: RestService, options: ServeOptions) => RequestListener | Promise<RequestListener>,
): Serve {
  return async (service, options) => {
    const http = await serveHttp(await listenerOf(restService(service, options), options), options, writeProblem);
    return {
      ...http,
      replace: async (next) => http.replace(await listenerOf(restService(next, options), options)),
    };
  };
}
