// The common part of REST servers.
import { dialectOf, dialectSettings, restService } from "@roundtrip/styles/rest/server";
import type { RequestListener } from "node:http";
import { httpServerSettings } from "../shared/http-settings.ts";
import { serveHttp } from "../shared/node-server/http-server.ts";
import { splitSettings } from "../shared/settings.ts";
import type { Serve, ServeOptions } from "../basics/stack.ts";

type RestService = ReturnType<typeof restService>;

/** Serves REST with JSON, as in `schema/openapi.yaml`. @param listenerOf connects a library with a service; fails for what it cannot serve. */
export function restBy(
  listenerOf: (rest: RestService, options: ServeOptions) => RequestListener | Promise<RequestListener>,
): Serve {
  return async (service, given) => {
    const { own, others } = splitSettings(dialectSettings, httpServerSettings, given.settings);
    const options = { ...given, settings: others };
    const dialect = dialectOf(own);
    const listener = await listenerOf(restService(service, options, dialect), options);
    const http = await serveHttp(listener, options, dialect.writeFault);
    return {
      ...http,
      replace: async (next) => http.replace(await listenerOf(restService(next, options, dialect), options)),
    };
  };
}
