// Fastify under a service over HTTP: its router, its parser of plain bodies, and its reply. JSON is the style's, because schemas know neither omitted
// defaults nor 64-bit integers (docs/decisions/0021-routes-of-our-own-on-express.md).
import {
  fastify,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from "fastify";
import { type IncomingMessage, METHODS } from "node:http";
import {
  type HttpAnswer,
  type HttpService,
  type ReceivedRequest,
  type RoutedService,
  type ServedExchange,
  type WholeAnswer,
} from "@roundtrip/styles/http/server";
import {
  bodyFault,
  bodyReader,
  countArrival,
  decodedBytes,
  inTurn,
  isPlain,
  unhurriedBody,
} from "../node-server/request-body.ts";
import { writeAnswer, writerOf } from "../node-server/http-listener.ts";
import type { Application } from "../node-server/serve-service.ts";
import type { ServeOptions } from "../../basics/stack.ts";
import { requireLibraries } from "../../basics/stack-error.ts";
import { brotliOptions, gzipOptions, leastCompressedBytes, zstdOptions } from "../codings.ts";

// Reads plain bodies with Fastify, which limits neither chunks nor the ratio of compressed bodies. The style parses their content.

declare module "fastify" {
  interface FastifyInstance {
    /** Of answers to callers that accept it, or `identity`. */
    coding: string;
  }
  interface FastifyRequest {
    /** Set when the request arrives. */
    exchange: ServedExchange;
  }
}

interface Unreadable {
  readonly thrown: Error & { readonly status?: number; readonly statusCode?: number };
  readonly maxBytes: number;
}

/** Answers a request that Fastify cannot read. The connection stays open: the rest of the body is received and discarded. */
function refuse(request: FastifyRequest, reply: FastifyReply, { thrown, maxBytes }: Unreadable): void {
  const { raw, exchange } = request;
  raw.resume();
  reply.hijack();
  const fault = bodyFault({ status: thrown.status ?? thrown.statusCode, message: thrown.message }, maxBytes);
  writeAnswer(exchange, exchange.refuse(fault), reply.raw);
}

/** Makes an application read every body as bytes. */
function parseBodies(app: FastifyInstance, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, bytes, done) =>
    done(null, bytes.length === 0 ? undefined : bytes),
  );
  app.addHook("preParsing", (request, reply, _payload, next) => {
    const { raw, exchange } = request;
    // The style judges media types; Fastify would refuse unknown ones with its own answer.
    if (exchange.takes === "body" && raw.headers["content-type"] !== "application/json") {
      request.headers = { "content-type": "application/octet-stream" };
    }
    countArrival(raw, reply.raw, (fault) => {
      reply.hijack();
      writeAnswer(exchange, exchange.refuse(fault), reply.raw);
    });
    next();
  });
  app.setErrorHandler((thrown: Unreadable["thrown"], request, reply) => refuse(request, reply, { thrown, maxBytes }));
}

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
    const { coding } = reply.server;
    // The plugin compresses answers of routes alone.
    const isHere = coding !== "identity" && reply.request.is404;
    if (typeof body !== "object" && cut === undefined && !raw.destroyed && !isHere) {
      reply.code(status).headers(headers).serializer(asItIs).send(body);
    } else {
      reply.hijack();
      writerOf(coding)(exchange, now, raw);
    }
  });
}

/** Passes each request to a service. Fastify reads only plain bodies that are wanted whole, and none of GET; other requests are answered here. */
function begins(service: HttpService, { maxRequestMs, maxMessageBytes }: ServeOptions): onRequestHookHandler {
  const readBody = bodyReader(decodedBytes(maxMessageBytes), maxMessageBytes);
  return (request, reply, next) => {
    const { raw } = request;
    const exchange = service.begin(raw as ReceivedMessage);
    request.exchange = exchange;
    if (exchange.takes === "pieces") {
      send(reply, exchange, exchange.answerPieces(unhurriedBody(raw, reply.raw, maxRequestMs)));
    } else if (exchange.takes === "body" && (withoutBody.has(request.method) || !isPlain(raw.headers))) {
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
function answerWhole({ exchange, body, raw }: FastifyRequest, reply: FastifyReply): void {
  void inTurn(
    raw,
    body as Uint8Array | undefined,
    (bytes) => send(reply, exchange, exchange.answer(bytes)),
    (fault) => send(reply, exchange, exchange.refuse(fault)),
  );
}

/** Requests are decompressed as without the plugin, which does not limit what they become. */
async function compressWith(app: FastifyInstance, coding: string): Promise<void> {
  requireLibraries(`Fastify with ${coding}`, ["@fastify/compress"], import.meta.url);
  const { default: compress } = await import("@fastify/compress");
  await app.register(compress, {
    encodings: [coding as "gzip"],
    threshold: leastCompressedBytes,
    globalDecompression: false,
    zlibOptions: coding === "zstd" ? zstdOptions : gzipOptions,
    brotliOptions,
    customTypes: () => true,
  });
}

export class FastifyApplication {
  readonly app: FastifyInstance;
  readonly #options: ServeOptions;
  #service: RoutedService | undefined;

  constructor(options: ServeOptions) {
    this.#options = options;
    const maxBytes = options.maxMessageBytes;
    this.app = fastify({
      bodyLimit: maxBytes,
      // The style defines HEAD, and reads the query by the types of the contract.
      exposeHeadRoutes: false,
      routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER, querystringParser: () => ({}) },
      // URLs that Fastify's router cannot read.
      frameworkErrors: (thrown, request, reply) => {
        request.exchange = (this.#service as RoutedService).begin(request.raw as ReceivedMessage);
        if (request.exchange.takes === "nothing") answerWhole(request, reply);
        else refuse(request, reply, { thrown, maxBytes });
      },
    });
    for (const method of METHODS) {
      if (!this.app.supportedMethods.includes(method)) this.app.addHttpMethod(method, { hasBody: true });
    }
    this.app.decorateRequest("exchange");
    parseBodies(this.app, maxBytes);
  }

  async serve(service: RoutedService, coding: string): Promise<Application> {
    this.#service = service;
    const { app } = this;
    app.decorate("coding", coding);
    if (coding !== "identity") await compressWith(app, coding);
    const beginUnrouted = begins(service, this.#options);
    app.addHook("onRequest", (request, reply, next) => {
      if (request.is404) beginUnrouted.call(app, request, reply, next);
      else next();
    });
    app.setNotFoundHandler(answerWhole);
    for (const route of service.plainRoutes) {
      app.route({
        method: route.method,
        url: `/${route.segments.map((text, index) => text ?? `:${index}`).join("/")}`,
        onRequest: begins(route, this.#options),
        handler: answerWhole,
      });
    }
    await app.ready();
    return { listener: (request, response) => app.routing(request, response), close: () => app.close() };
  }
}
