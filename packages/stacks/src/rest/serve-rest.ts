// The common part of REST servers.
import type { Service } from "@roundtrip/contract";
import { dialectOf, dialectSettings, restService } from "@roundtrip/styles/rest/server";
import type { RequestListener } from "node:http";
import { httpServerSettings, splitSettings } from "../shared/settings.ts";
import { serveHttp } from "../shared/node-server/http-server.ts";
import type { Serve, ServeOptions } from "../basics/stack.ts";

type RestService = ReturnType<typeof restService>;

/** The same service, whose routes are watched too. */
function watchedBy({ watch }: ServeOptions, rest: RestService): RestService {
  if (watch === undefined) return rest;
  const plainRoutes = rest.plainRoutes.map((route) => ({ ...route, ...watch.overHttp(route) }));
  return { ...watch.overHttp(rest), plainRoutes };
}

/** Serves REST with JSON, as in `schema/openapi.yaml`. @param listenerOf connects a library with a service; fails for what it cannot serve. */
export function restBy(
  listenerOf: (rest: RestService, options: ServeOptions) => RequestListener | Promise<RequestListener>,
): Serve {
  return async (service, given) => {
    const { own, others } = splitSettings(dialectSettings, httpServerSettings, given.settings);
    const options = { ...given, settings: others };
    const dialect = dialectOf(own);
    const open = async (served: Service): Promise<RequestListener> =>
      listenerOf(watchedBy(options, restService(served, options, dialect)), options);
    const http = await serveHttp(await open(service), options, dialect.writeFault);
    return {
      ...http,
      replace: async (next) => http.replace(await open(next)),
    };
  };
}
