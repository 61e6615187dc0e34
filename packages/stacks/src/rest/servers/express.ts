// Serves a contract as REST on express: its application and body parser. Routes are the style's, because express has no verb after a variable and no `*`
// inside one (docs/decisions/0021-routes-of-our-own-on-express.md).
import express from "express";
import { expressBytes } from "../../shared/express-bytes.ts";
import { nodeListener } from "../../shared/node-server/http-listener.ts";
import { restBy } from "../serve-rest.ts";

export const serve = restBy((rest, options) => {
  const app = express();
  // The contract requires neither, and hashing every answer for an ETag costs CPU.
  app.disable("x-powered-by");
  app.disable("etag");
  // Overrides NODE_ENV: otherwise express includes stack traces in its own error answers.
  app.set("env", "production");
  return app.use(nodeListener(rest, expressBytes(options.maxMessageBytes), options));
});
