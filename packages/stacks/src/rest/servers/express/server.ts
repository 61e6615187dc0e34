// Serves a contract as REST on express, which brings the application and the body parser.
import type { Service } from "@roundtrip/contract";
import express from "express";
import { expressBody } from "../../../shared/express/express-body.ts";
import { serveHttp } from "../../../shared/node-server/http-server.ts";
import { nodeListener } from "../../../shared/node-server/node-listener.ts";
import type { Serve, ServeOptions } from "../../../stack.ts";
import { restService, writeProblem } from "@roundtrip/styles/rest/server";

/** What answers for a service. */
function applicationOf(service: Service, options: ServeOptions): express.Express {
  const { maxMessageBytes, maxRequestMs } = options;
  const rest = restService(service, options);
  const app = express();
  // Neither is asked for by the contract, and hashing every answer for an ETag costs CPU.
  app.disable("x-powered-by");
  app.disable("etag");
  // Whatever the environment says: express shows stack traces in answers of its own otherwise.
  app.set("env", "production");
  app.use(nodeListener(rest, { readBody: expressBody(maxMessageBytes), maxRequestMs }));
  return app;
}

/** Serves REST with JSON; see `schema/openapi.yaml` for what that looks like. */
export const serve: Serve = async (service, options) => {
  const http = await serveHttp(applicationOf(service, options), options, writeProblem);
  return {
    ...http,
    // oxlint-disable-next-line require-await -- what cannot be served rejects, as with every style
    replace: async (next) => http.replace(applicationOf(next, options)),
  };
};
