// Serves a contract as REST on Fastify, which brings the router, the body parser and the reply.
import {
  fastify,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from "fastify";
import { METHODS, type IncomingMessage } from "node:http";
import { piecesAtOwnPace } from "../../../shared/node-server/own-pace.ts";
import { writeAnswer, writeNow } from "../../../shared/node-server/write-answer.ts";
import type { ServeOptions } from "../../../basics/stack.ts";
import type {
  HttpAnswer,
  HttpService,
  ReceivedRequest,
  ServedExchange,
  WholeAnswer,
} from "@roundtrip/styles/http/server";
import { restBy } from "../../serve-rest.ts";
import { parseBodies, refuse } from "./parse-bodies.ts";

/** A request that a server has received has a method and a URL. */
type ReceivedMessage = IncomingMessage & ReceivedRequest;

/** Fastify's reader of these does not wait for a body. */
const withoutBody: ReadonlySet<string> = new Set(["GET", "HEAD", "TRACE"]);

/** Text is JSON already; without this, Fastify adds a charset to its media type, which JSON does not have. */
function asItIs(text: unknown): string {
  return text as string;
}

/** Sends an answer by Fastify's reply, and beside it what that cannot send: streams and connections that are cut. */
function send(reply: FastifyReply, exchange: ServedExchange, answer: WholeAnswer | Promise<HttpAnswer>): void {
  writeAnswer(exchange, answer, reply.raw, (_exchange, now, raw) => {
    const { status, headers, body, cut } = now;
    const isWhole = typeof body !== "object" || body instanceof Uint8Array;
    if (isWhole && cut === undefined && !raw.destroyed) {
      reply.code(status).headers(headers).serializer(asItIs).send(body);
    } else {
      reply.hijack();
      writeNow(exchange, now, raw);
    }
  });
}

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

export const serve = restBy(async (rest, options) => {
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
});
