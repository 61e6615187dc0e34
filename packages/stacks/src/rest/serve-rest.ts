// The common part of REST servers.
import { dialectOf, dialectSettings, restService } from "@roundtrip/styles/rest/server";
import type { Serve } from "../basics/stack.ts";
import { type Connect, serveBy, servedSettings } from "../shared/node-server/serve-service.ts";
import { splitSettings } from "../shared/settings.ts";

/** Serves REST with JSON, as in `schema/openapi.yaml`. */
export function restBy(connect: Connect): Serve {
  // oxlint-disable-next-line require-await -- unknown settings reject
  return async (service, given) => {
    const { own, others } = splitSettings(dialectSettings, servedSettings, given.settings);
    const dialect = dialectOf(own);
    const serve = serveBy({ path: "", writeFault: dialect.writeFault }, (served, options) => ({
      http: restService(served, options, dialect),
      connect,
    }));
    return serve(service, { ...given, settings: others });
  };
}
