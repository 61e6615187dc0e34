// Serves a contract as REST on express: express brings the application and the body parser, the contract brings the routes.
import { only, onlyAnswer, type Service } from "@roundtrip/contract";
import express, { type Request, type Response } from "express";
import { expressBody } from "../http/express/express-body.ts";
import { serveHttp } from "../http/http-server.ts";
import { checkJsonType } from "../http/json-body.ts";
import { giveOwnPace } from "../http/own-pace.ts";
import { cannot } from "../refused.ts";
import type { Serve, ServeOptions } from "../stack.ts";
import { acceptedForm, checkAccept } from "./answers/accept.ts";
import { badRequest } from "./requests/bad-request.ts";
import { problemOf, problemType } from "./errors.ts";
import { fail, messageOf, settle, type Exchange } from "./routing/exchange.ts";
import { incomingCall } from "./routing/incoming-call.ts";
import { limitations } from "./limitations.ts";
import { checkStreamType, requestStream } from "./streams/request-stream.ts";
import { routesOf } from "./routing/routes.ts";
import { sendError, sendMessage } from "./answers/send.ts";
import { sendStream } from "./streams/stream-answer.ts";
import { answerUnrouted } from "./routing/unrouted.ts";

// Visible ASCII: everything else is percent-encoded (RFC 3986, section 2). So is "#", for a fragment is none of a server's business.
const sayable = /^[!"$-~]*$/;
const absolute = /^https?:\/\/[^/?]*/i;

/** Path and query of what was asked for. Whoever takes this for a proxy names the server in front (RFC 9112, section 3.2.2). */
function targetOf(url: string): string {
  if (!sayable.test(url)) throw badRequest("the URL has characters that are not percent-encoded");
  if (url.startsWith("/")) return url;
  const rest = url.replace(absolute, "");
  return rest.startsWith("?") || rest === "" ? `/${rest}` : rest;
}

/** The request listener of a service. */
function listenerOf(
  service: Service,
  { maxMessageBytes, maxRequestMs }: ServeOptions,
): (request: Request, response: Response) => void {
  const router = routesOf(service.contract);
  const readBody = expressBody(maxMessageBytes);

  const answer = (exchange: Exchange, body: Uint8Array | undefined): void => {
    const { route, segments, response, call } = exchange;
    try {
      call.throwIfEnded();
      const given = service.call(route.operation, messageOf(exchange, body), call);
      if (given instanceof Promise) {
        settle(
          exchange,
          given.then((message) => sendMessage(response, call, route, segments, message)),
        );
      } else {
        call.finish();
        sendMessage(response, call, route, segments, given);
      }
    } catch (thrown) {
      fail(exchange, thrown);
    }
  };

  const answerStream = (exchange: Exchange, body: Uint8Array | undefined): void => {
    const { route, request, response, call } = exchange;
    try {
      call.throwIfEnded();
      // What is kept for one caller is not what another one can read (RFC 9110, section 12.5.5); refusals of this kind included.
      if (route.forms.length > 1) response.setHeader("vary", "Accept");
      const form = acceptedForm(request, route.forms);
      const answers = service.stream(route.operation, only(messageOf(exchange, body)), call);
      settle(exchange, sendStream(answers, { response, call, route, form, headersOnly: request.method === "HEAD" }));
    } catch (thrown) {
      fail(exchange, thrown);
    }
  };

  const takeStream = (exchange: Exchange): void => {
    const { route, segments, request, response, call } = exchange;
    try {
      call.throwIfEnded();
      checkStreamType(request, route);
      giveOwnPace(request, response, maxRequestMs);
      const requests = requestStream({ ...exchange, maxMessageBytes, maxRequestMs });
      const answers = service.stream(route.operation, requests, call);
      settle(
        exchange,
        onlyAnswer(route.operation, answers).then((message) => sendMessage(response, call, route, segments, message)),
      );
    } catch (thrown) {
      fail(exchange, thrown);
    }
  };

  const answerJson = (exchange: Exchange, body: Uint8Array | undefined): void => {
    try {
      if (body !== undefined) checkJsonType(exchange.request.headers["content-type"]);
    } catch (thrown) {
      fail(exchange, thrown);
      return;
    }
    const go = exchange.route.operation.kind === "unary" ? answer : answerStream;
    go(exchange, body);
  };

  return (request, response) => {
    try {
      const { method } = request;
      const url = targetOf(request.url);
      const mark = url.indexOf("?");
      const path = mark === -1 ? url : url.slice(0, mark);
      const query = mark === -1 ? "" : url.slice(mark + 1);
      const match = router.match(method, path) ?? (method === "HEAD" ? router.match("GET", path) : undefined);
      if (match === undefined) {
        answerUnrouted({ service, router }, request, path, response);
        return;
      }
      const { target: route, segments } = match;
      const { kind } = route.operation;
      if (kind === "bidi_streaming") throw cannot(limitations, "bidiStream");
      if (kind !== "server_streaming") checkAccept(request);
      const call = incomingCall(request);
      const exchange = { route, segments, query, request, response, call };
      if (kind === "client_streaming") {
        takeStream(exchange);
        return;
      }
      if (!route.hasBody) answerJson(exchange, undefined);
      else {
        readBody(
          request,
          response,
          (body) => answerJson(exchange, body),
          (error) => fail(exchange, error),
        );
      }
    } catch (thrown) {
      sendError(response, undefined, thrown);
    }
  };
}

/** What answers for a service. */
function applicationOf(service: Service, options: ServeOptions): express.Express {
  const app = express();
  // Neither is asked for by the contract, and hashing every answer for an ETag costs CPU.
  app.disable("x-powered-by");
  app.disable("etag");
  // Whatever the environment says: express shows stack traces in answers of its own otherwise.
  app.set("env", "production");
  app.use(listenerOf(service, options));
  return app;
}

/** Serves REST with JSON; see `schema/openapi.yaml` for what that looks like. */
export const serve: Serve = async (service, options) => {
  const http = await serveHttp(applicationOf(service, options), options, (error, status) => ({
    type: problemType,
    text: JSON.stringify(problemOf(error, status)),
  }));
  return {
    ...http,
    // oxlint-disable-next-line require-await -- what cannot be served rejects, as with every style
    replace: async (next) => http.replace(applicationOf(next, options)),
  };
};
