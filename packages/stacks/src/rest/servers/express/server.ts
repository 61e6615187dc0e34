// Serves a contract as REST on express, which brings the application and the body parser.
import express from "express";
import { expressBytes } from "../../../shared/express/express-bytes.ts";
import { nodeListener } from "../../../shared/node-server/node-listener.ts";
import { restBy } from "../../serve-rest.ts";

export const serve = restBy((rest, options) => {
  const app = express();
  // Neither is asked for by the contract, and hashing every answer for an ETag costs CPU.
  app.disable("x-powered-by");
  app.disable("etag");
  // Whatever the environment says: express shows stack traces in answers of its own otherwise.
  app.set("env", "production");
  return app.use(nodeListener(rest, expressBytes(options.maxMessageBytes), options));
});
