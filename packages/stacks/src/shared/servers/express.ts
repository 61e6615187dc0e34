// Express under a service over HTTP: its application, its router for plain paths, and its parser of plain bodies. Other paths are the style's, because
// Express has no verb after a variable and no `*` inside one; so is the reply, to which Express would add a charset
// (docs/decisions/0021-routes-of-our-own-on-express.md).
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import type { RequestListener } from "node:http";
import { requireLibraries } from "../../basics/stack-error.ts";
import { accepts, brotliOptions, gzipOptions, leastCompressedBytes } from "../codings.ts";
import { nodeListener } from "../node-server/http-listener.ts";
import { countArrival, decodedBytes, isPlain, type ReadBytes } from "../node-server/request-body.ts";
import type { Connect } from "../node-server/serve-service.ts";

/** Reads bodies of at most `maxBytes`, counted after decompression. Express limits neither chunks nor the ratio of compressed bodies. */
function expressBytes(maxBytes: number): ReadBytes {
  const readBytes = express.raw({ limit: maxBytes, type: () => true, inflate: false });
  const readDecoded = decodedBytes(maxBytes);
  return (request, response, done) => {
    if (!isPlain(request.headers)) {
      readDecoded(request, response, done);
      return;
    }
    let isOver = false;
    const end: typeof done = (thrown, bytes) => {
      if (!isOver) done(thrown, bytes);
      isOver = true;
    };
    countArrival(request, response, end);
    readBytes(request, response, (thrown: unknown) => end(thrown, (request as { readonly body?: Uint8Array }).body));
  };
}

function emptyExpress(): Express {
  const app = express();
  // The contract requires neither, and hashing every answer for an ETag costs CPU.
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.enable("strict routing");
  // Overrides NODE_ENV: otherwise express includes stack traces in its own error answers.
  app.set("env", "production");
  return app;
}

/** Express passes HEAD to routes of GET. The style knows whether a contract has one of its own. */
function only(method: string, listener: RequestListener): RequestHandler {
  return (request, response, next) => {
    if (request.method === method) listener(request, response);
    else next();
  };
}

/** The package `compression` for one coding: it would choose another one that the caller accepts too. */
async function compressingWith(coding: string): Promise<RequestHandler> {
  requireLibraries(`Express with ${coding}`, ["compression"], import.meta.url);
  const { default: compression } = await import("compression");
  const compress = compression({
    ...gzipOptions,
    brotli: brotliOptions,
    threshold: leastCompressedBytes,
    // Streams have no length.
    filter: (_request, response) => response.hasHeader("content-length"),
  });
  return (request, response, next) => {
    const { headers } = request;
    headers["accept-encoding"] = accepts(coding, headers["accept-encoding"]) ? coding : "identity";
    compress(request, response, next);
  };
}

export const onExpress: Connect = async (service, options, coding) => {
  const app = emptyExpress();
  if (coding !== "identity") app.use(await compressingWith(coding));
  const read = expressBytes(options.maxMessageBytes);
  for (const route of service.plainRoutes) {
    const path = `/${route.segments.map((text, index) => text ?? `:v${index}`).join("/")}`;
    const add = app[route.method.toLowerCase() as "get"].bind(app);
    add(path, only(route.method, nodeListener(route, read, options)));
  }
  const unrouted = nodeListener(service, read, options);
  // Express calls this for paths that it cannot decode, and recognizes it by its four parameters.
  const onError: ErrorRequestHandler = (_thrown, request, response, _next) => unrouted(request, response);
  return { listener: app.use(unrouted, onError) };
};
