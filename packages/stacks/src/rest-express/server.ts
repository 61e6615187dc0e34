// Serves a contract as REST on express: express brings the application and the body parser, the contract brings the routes.
import type { JsonValue, Message } from "@bufbuild/protobuf";
import { CallError, ServerCall, type Contract, type Operation, type Service } from "@roundtrip/contract";
import express, { type Request, type Response } from "express";
import { fieldPaths, type FieldPaths } from "../field-paths.ts";
import { HeaderMap } from "../header-map.ts";
import { deadlineHeader, deadlineOf } from "../http-deadline.ts";
import { serveHttp } from "../http-server.ts";
import { StackError } from "../stack-error.ts";
import type { Serve } from "../stack.ts";
import { locationWriter, type LocationOf } from "./created.ts";
import { problemOf, problemType } from "./errors.ts";
import { HttpError } from "./http-error.ts";
import { bodyReader } from "./json-body.ts";
import { requestReader, type ReadRequest } from "./request-reader.ts";
import { responseWriter, type WriteResponse } from "./response-codec.ts";
import { Router } from "./router.ts";

/** One binding of one operation, compiled. */
interface Route {
  readonly operation: Operation;
  readonly hasBody: boolean;
  readonly read: ReadRequest;
  readonly write: WriteResponse;
  /** Undefined for an operation that creates nothing. */
  readonly locate: LocationOf | undefined;
  readonly fields: FieldPaths;
}

function routesOf(contract: Contract): Router<Route> {
  const router = new Router<Route>();
  for (const operation of contract.operations) {
    for (const binding of operation.bindings) {
      const taken = router.add(binding, {
        operation,
        hasBody: binding.body !== "",
        read: requestReader(contract, operation, binding),
        write: responseWriter(contract, operation, binding),
        locate: locationWriter(contract, operation, binding),
        fields: fieldPaths(operation.input, ({ jsonName }) => jsonName),
      });
      if (taken === undefined) continue;
      const place = `${binding.method} ${binding.path.source}`;
      throw new StackError("unusable-contract", `${place} means both ${taken.operation.id} and ${operation.id}`);
    }
  }
  return router;
}

function send(response: Response, type: string, status: number, text: string): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
}

function sendError(response: Response, thrown: unknown): void {
  // The caller is gone: nobody to tell.
  if (response.headersSent || response.destroyed) return;
  if (thrown instanceof HttpError && thrown.allow !== "") response.setHeader("allow", thrown.allow);
  const problem =
    thrown instanceof HttpError ? problemOf(thrown.error, thrown.status) : problemOf(CallError.from(thrown));
  send(response, problemType, problem.status, JSON.stringify(problem));
}

function sendMessage(response: Response, route: Route, segments: readonly string[], message: Message): void {
  if (response.destroyed) return;
  const text = route.write(message);
  if (text === undefined) response.writeHead(204).end();
  else if (route.locate === undefined) send(response, "application/json", 200, text);
  else {
    const location = route.locate(segments, message);
    if (location !== undefined) response.setHeader("location", location);
    send(response, "application/json", 201, text);
  }
}

/** Answers a path that has no route for its method: OPTIONS by itself, the rest with 404 or 405. */
function answerUnrouted(router: Router<Route>, method: string, path: string, response: Response): void {
  const methods = router.methodsOf(path);
  if (methods.length === 0) {
    throw new HttpError(404, new CallError("UNIMPLEMENTED", `there is nothing at ${path}`));
  }
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].toSorted().join(", ");
  if (method !== "OPTIONS") {
    throw new HttpError(405, new CallError("UNIMPLEMENTED", `${path} does not answer ${method}, but ${allow}`), allow);
  }
  response.writeHead(204, { allow }).end();
}

function checkAccept(request: Request): void {
  const { accept } = request.headers;
  if (accept === undefined || accept === "*/*" || accept === "application/json") return;
  if (request.accepts("json", problemType) === false) {
    throw new HttpError(406, new CallError("INVALID_ARGUMENT", `the answer is application/json, not ${accept}`));
  }
}

/** The request listener of a service. */
function listenerOf(service: Service, maxMessageBytes: number): (request: Request, response: Response) => void {
  const router = routesOf(service.contract);
  const readBody = bodyReader(maxMessageBytes);

  const answer = (
    route: Route,
    segments: readonly string[],
    query: string,
    body: JsonValue | undefined,
    call: ServerCall,
    response: Response,
  ): void => {
    let given: Message | Promise<Message>;
    try {
      call.throwIfEnded();
      given = service.call(route.operation, route.read(segments, query, body), call);
      if (!(given instanceof Promise)) {
        call.finish();
        sendMessage(response, route, segments, given);
        return;
      }
    } catch (thrown) {
      call.finish();
      sendError(response, route.fields.spelled(CallError.from(thrown)));
      return;
    }
    response.once("close", () => {
      if (!response.writableFinished) call.cancel();
    });
    given
      .then((message) => sendMessage(response, route, segments, message))
      .catch((thrown: unknown) => sendError(response, route.fields.spelled(CallError.from(thrown))))
      .finally(() => call.finish());
  };

  return (request, response) => {
    try {
      const { method, url } = request;
      const mark = url.indexOf("?");
      const path = mark === -1 ? url : url.slice(0, mark);
      const query = mark === -1 ? "" : url.slice(mark + 1);
      const match = router.match(method, path) ?? (method === "HEAD" ? router.match("GET", path) : undefined);
      if (match === undefined) {
        answerUnrouted(router, method, path, response);
        return;
      }
      const { target: route, segments } = match;
      if (route.operation.kind !== "unary") {
        throw new CallError("UNIMPLEMENTED", `${route.operation.id} streams, which is not served as REST`);
      }
      checkAccept(request);
      const call = new ServerCall(deadlineOf(request.headers[deadlineHeader]), new HeaderMap(() => request.headers));
      if (!route.hasBody) {
        answer(route, segments, query, undefined, call, response);
        return;
      }
      readBody(
        request,
        response,
        (body) => answer(route, segments, query, body, call, response),
        (error) => {
          call.finish();
          sendError(response, error);
        },
      );
    } catch (thrown) {
      sendError(response, thrown);
    }
  };
}

/** Serves REST with JSON; see `schema/openapi.yaml` for what that looks like. */
export const serve: Serve = async (service, options) => {
  const app = express();
  // Neither is asked for by the contract, and hashing every answer for an ETag costs CPU.
  app.disable("x-powered-by");
  app.disable("etag");
  // Whatever the environment says: express shows stack traces in answers of its own otherwise.
  app.set("env", "production");
  app.use(listenerOf(service, options.maxMessageBytes));
  return await serveHttp(app, options);
};
