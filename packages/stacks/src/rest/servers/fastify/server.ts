// Serves a contract as REST on Fastify, which brings the router, the body parser and the reply.
import type { Service } from "@roundtrip/contract";
import {
  fastify,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from "fastify";
import { METHODS, type IncomingMessage, type RequestListener } from "node:http";
import { serveHttp } from "../../../shared/node-server/http-server.ts";
import { piecesAtOwnPace } from "../../../shared/node-server/own-pace.ts";
import type { Serve, ServeOptions } from "../../../stack.ts";
import type { HttpService, ReceivedRequest } from "@roundtrip/styles/http/server";
import { restService, writeProblem } from "@roundtrip/styles/rest/server";
import { parseBodies, refuse } from "./parse-bodies.ts";
import { send } from "./send.ts";

/** A request that a server has received has a method and a URL. */
type ReceivedMessage = IncomingMessage & ReceivedRequest;

/** Fastify's reader of these does not wait for a body. */
const withoutBody: ReadonlySet<string> = new Set(["GET", "HEAD", "TRACE"]);

/** Asks a service about each request. Bodies that it does not take as a whole are not read by Fastify, and those requests answered here. */
function begins(service: HttpService, { maxRequestMs }: ServeOptions): onRequestHookHandler {
  return (request, reply, next) => {
    const { raw } = request;
    const exchange = service.begin(raw as ReceivedMessage);
    request.exchange = exchange;
    if (exchange.takes === "pieces") {
      send(reply, exchange, exchange.answerPieces(piecesAtOwnPace(raw, reply.raw, maxRequestMs)));
    } else if (exchange.takes === "nothing" && !withoutBody.has(request.method)) {
      send(reply, exchange, exchange.answer(undefined));
    } else next();
  };
}

/** Answers a request whose body Fastify has read, or that has none. */
function answerWhole({ exchange, body }: FastifyRequest, reply: FastifyReply): void {
  send(reply, exchange, exchange.answer(body as Uint8Array | undefined));
}

function emptyFastify(rest: HttpService, { maxMessageBytes }: ServeOptions): FastifyInstance {
  const app = fastify({
    bodyLimit: maxMessageBytes,
    // The style says what HEAD means, and reads the query by the types of the contract.
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER, querystringParser: () => ({}) },
    // URLs that Fastify's router does not read.
    frameworkErrors(thrown, request, reply) {
      request.exchange = rest.begin(request.raw as ReceivedMessage);
      if (request.exchange.takes === "nothing") answerWhole(request, reply);
      else refuse(request, reply, { thrown, maxBytes: maxMessageBytes });
    },
  });
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
  return app;
}

/** What answers for a service. Rejects for what cannot be served. */
async function listenerOf(service: Service, options: ServeOptions): Promise<RequestListener> {
  const rest = restService(service, options);
  const app = emptyFastify(rest, options);
  app.decorateRequest("exchange");
  app.decorateRequest("decoder");
  parseBodies(app, options.maxMessageBytes);
  const beginUnrouted = begins(rest, options);
  app.addHook("onRequest", (request, reply, next) => {
    if (request.is404) beginUnrouted.call(app, request, reply, next);
    else next();
  });
  app.setNotFoundHandler(answerWhole);
  for (const route of rest.plainRoutes) {
    app.route({
      method: route.method,
      url: `/${route.segments.map((text, index) => text ?? `:${index}`).join("/")}`,
      onRequest: begins(route, options),
      handler: answerWhole,
    });
  }
  await app.ready();
  return (request, response) => app.routing(request, response);
}

/** Serves REST with JSON; see `schema/openapi.yaml` for what that looks like. */
export const serve: Serve = async (service, options) => {
  const http = await serveHttp(await listenerOf(service, options), options, writeProblem);
  return {
    ...http,
    replace: async (next) => http.replace(await listenerOf(next, options)),
  };
};
