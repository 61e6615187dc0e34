// Serves a contract as REST on Hono (the router) with its adapter for Node.js (requests and responses as in fetch).
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { CallError } from "@roundtrip/contract";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import {
  type HttpAnswer,
  type HttpService,
  type ReceivedRequest,
  type ServedExchange,
} from "@roundtrip/styles/http/server";
import {
  bodyReader,
  countArrival,
  declaredTooLarge,
  decodedBytes,
  isCounted,
  isPlain,
  turnFor,
  unhurriedBody,
} from "../../shared/node-server/request-body.ts";
import { nodeListener, watchCaller, writeNow } from "../../shared/node-server/http-listener.ts";
import { leastCompressedBytes } from "../../shared/codings.ts";
import type { ServeOptions } from "../../basics/stack.ts";
import { restBy } from "../serve-rest.ts";

/** The request of the adapter over HTTP/1.1. A received request always has a method and a URL. */
interface Bindings extends HttpBindings {
  readonly incoming: IncomingMessage & ReceivedRequest;
  readonly outgoing: ServerResponse;
}

type HonoContext = Context<{ Bindings: Bindings }>;
type Handler = (context: HonoContext) => Response | Promise<Response>;

/** Converts an answer to Hono's response. Streams and connections to cut off, which that cannot send, are written directly. */
function responseOf({ env }: HonoContext, exchange: ServedExchange, answer: HttpAnswer): Response {
  const { status, headers, body, cut } = answer;
  if (cut === undefined && (typeof body !== "object" || body instanceof Uint8Array)) {
    return new Response(body === undefined || body.length === 0 ? null : (body as string | Uint8Array<ArrayBuffer>), {
      status,
      headers: headers as Record<string, string>,
    });
  }
  writeNow(exchange, answer, env.outgoing);
  return RESPONSE_ALREADY_SENT;
}

function respond(
  context: HonoContext,
  exchange: ServedExchange,
  answer: HttpAnswer | Promise<HttpAnswer>,
): Response | Promise<Response> {
  if (!(answer instanceof Promise)) return responseOf(context, exchange, answer);
  watchCaller(exchange, context.env.outgoing);
  return answer.then((later) => responseOf(context, exchange, later));
}

/** The largest body that Hono's adapter reads. It joins what it has read, copies it, and joins it again when a connection is cut. */
const copiedBytes = 1024 * 1024;

function receivedPath({ url }: ReceivedRequest): string {
  const mark = url.indexOf("?");
  return mark === -1 ? url : url.slice(0, mark);
}

/** The same body, unless it would hold too much memory: rejects with a CallError. */
function counted({ env }: HonoContext, body: Promise<ArrayBuffer>): Promise<ArrayBuffer> {
  const { incoming, outgoing } = env;
  if (!isCounted(incoming.headers)) return body;
  return Promise.race([body, new Promise<never>((_resolve, reject) => countArrival(incoming, outgoing, reject))]);
}

/** Answers requests of a route with its own service, or with that of all routes if Hono has changed the path. */
function handlerOf(rest: HttpService, route: HttpService, options: ServeOptions): Handler {
  const { maxMessageBytes, maxRequestMs } = options;
  const readDecoded = bodyReader(decodedBytes(maxMessageBytes), maxMessageBytes);
  const whole = async (context: HonoContext, exchange: ServedExchange): Promise<Response> => {
    const { incoming, outgoing } = context.env;
    const { headers, method } = incoming;
    const isGet = method === "GET" || method === "HEAD";
    // Hono does not decode bodies, does not limit those of unknown length, copies large ones, and has none for GET and HEAD.
    if (isGet || !isPlain(headers) || Number(headers["content-length"]) > copiedBytes) {
      return new Promise((resolve) => {
        readDecoded(
          incoming,
          outgoing,
          (body) => resolve(respond(context, exchange, exchange.answer(body))),
          (fault) => resolve(respond(context, exchange, exchange.refuse(fault))),
        );
      });
    }
    const fault = declaredTooLarge(headers, maxMessageBytes);
    if (fault !== undefined) return respond(context, exchange, exchange.refuse(fault));
    let bytes: Uint8Array;
    try {
      bytes = new Uint8Array(await counted(context, context.req.arrayBuffer()));
      await turnFor(incoming, bytes);
    } catch (thrown) {
      if (thrown instanceof CallError) return respond(context, exchange, exchange.refuse(thrown));
      // The caller is gone; Hono's adapter would print an error.
      exchange.cancel();
      return RESPONSE_ALREADY_SENT;
    }
    return respond(context, exchange, exchange.answer(bytes.length === 0 ? undefined : bytes));
  };
  return (context) => {
    const { incoming, outgoing } = context.env;
    const exchange = (context.req.path === receivedPath(incoming) ? route : rest).begin(incoming);
    switch (exchange.takes) {
      case "nothing":
        return respond(context, exchange, exchange.answer(undefined));
      case "body":
        return whole(context, exchange);
      case "pieces":
        return respond(context, exchange, exchange.answerPieces(unhurriedBody(incoming, outgoing, maxRequestMs)));
    }
  };
}

export const serve = restBy((rest, options, coding) => {
  const app = new Hono<{ Bindings: Bindings }>();
  if (coding !== "identity") {
    app.use(compress({ encoding: coding as "gzip", threshold: leastCompressedBytes, contentTypeFilter: () => true }));
  }
  for (const route of rest.plainRoutes) {
    const path = `/${route.segments.map((text, index) => text ?? `:${index}`).join("/")}`;
    app.on(route.method, path, handlerOf(rest, route, options));
  }
  app.notFound(handlerOf(rest, rest, options));
  // HTTP/1.0 does not require a host.
  const routed = getRequestListener(app.fetch, { hostname: "localhost" });
  // The adapter refuses targets that are not paths, such as that of `OPTIONS *`.
  const unrouted = nodeListener(rest, decodedBytes(options.maxMessageBytes), options);
  const listener: RequestListener = (incoming, outgoing) =>
    incoming.url?.startsWith("/") === true ? void routed(incoming, outgoing) : unrouted(incoming, outgoing);
  return { listener };
});
