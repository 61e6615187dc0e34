// Serves a contract as REST on Fastify: its router, body parser and reply.
import {
  fastify,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from "fastify";
import { METHODS, type IncomingMessage } from "node:http";
import { decodedBytes } from "../../../shared/node-server/decoded-bytes.ts";
import { bodyReader } from "../../../shared/node-server/read-body.ts";
import { unhurriedBody } from "../../../shared/node-server/unhurried-body.ts";
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

type ReceivedMessage = IncomingMessage & ReceivedRequest;

/** Methods for which Fastify does not read a body. A contract may have one all the same, except for TRACE. */
const withoutBody: ReadonlySet<string> = new Set(["GET", "HEAD", "TRACE"]);

/** Returns text that is JSON already. Otherwise Fastify adds a charset to the media type, which JSON does not have. */
function asItIs(text: unknown): string {
  return text as string;
}

/**
 * Sends an answer with Fastify's reply. Streams and connections to cut off, which that cannot send, are written directly, and so are bytes, whose
 * media type it would replace if it is missing or malformed.
 */
function send(reply: FastifyReply, exchange: ServedExchange, answer: WholeAnswer | Promise<HttpAnswer>): void {
  writeAnswer(exchange, answer, reply.raw, (_exchange, now, raw) => {
    const { status, headers, body, cut } = now;
    if (typeof body !== "object" && cut === undefined && !raw.destroyed) {
      reply.code(status).headers(headers).serializer(asItIs).send(body);
    } else {
      reply.hijack();
      writeNow(exchange, now, raw);
    }
  });
}

/** Passes each request to a service. Fastify does not read streamed or unwanted bodies, or those of GET; those requests are answered here. */
function begins(service: HttpService, { maxRequestMs, maxMessageBytes }: ServeOptions): onRequestHookHandler {
  const readBody = bodyReader(decodedBytes(maxMessageBytes), maxMessageBytes);
  return (request, reply, next) => {
    const { raw } = request;
    const exchange = service.begin(raw as ReceivedMessage);
    request.exchange = exchange;
    if (exchange.takes === "pieces") {
      send(reply, exchange, exchange.answerPieces(unhurriedBody(raw, reply.raw, maxRequestMs)));
    } else if (exchange.takes === "body" && withoutBody.has(request.method)) {
      readBody(
        raw,
        reply.raw,
        (body) => send(reply, exchange, exchange.answer(body)),
        (fault) => send(reply, exchange, exchange.refuse(fault)),
      );
    } else if (exchange.takes === "nothing" && !withoutBody.has(request.method)) {
      send(reply, exchange, exchange.answer(undefined));
    } else next();
  };
}

/** Answers a request whose body Fastify has read, or that has no body. */
function answerWhole({ exchange, body }: FastifyRequest, reply: FastifyReply): void {
  send(reply, exchange, exchange.answer(body as Uint8Array | undefined));
}

function emptyFastify(rest: HttpService, { maxMessageBytes }: ServeOptions): FastifyInstance {
  const app = fastify({
    bodyLimit: maxMessageBytes,
    // The style defines HEAD, and reads the query by the types of the contract.
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER, querystringParser: () => ({}) },
    // URLs that Fastify's router cannot read.
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
