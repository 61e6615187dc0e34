// The REST server that a specialist would write for hello and customers: Express routes, plain objects, JSON.stringify. It listens like the stack.
// Errors, which are not timed, use the code of the stack.
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from "express";
import { serveHttp } from "@roundtrip/stacks/parts";
import type { ServeHandWritten } from "./hand-written.ts";
import { checkHeaders, getCustomer, problemFor, sayHello } from "./rest-calls.ts";

function send(response: Response, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

const onHello: RequestHandler = (request, response) => {
  checkHeaders(request.headers);
  send(response, sayHello(request.query));
};

const onCustomer: RequestHandler<{ id: string }> = (request, response) => {
  checkHeaders(request.headers);
  send(response, getCustomer(request.params.id, request.query));
};

// Express recognizes error handlers by their four parameters.
const onError: ErrorRequestHandler = (thrown, _request, response, _next) => {
  const { status, type, text } = problemFor(thrown);
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
};

export const serve: ServeHandWritten = (options) => {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.get("/v1/hello", onHello);
  app.get("/v1/customers/:id", onCustomer);
  app.use(onError);
  return serveHttp(app, options);
};
