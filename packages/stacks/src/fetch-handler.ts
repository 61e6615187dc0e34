// Answers requests of the Fetch API over REST and GraphQL in this process, without a port: for interceptors of fetch.
import { CallError, ConnectionCut, firstHalf, type Service } from "@roundtrip/contract";
import { graphqlParts, graphqlPath, graphqlService, graphqlSettings } from "@roundtrip/styles/graphql/server";
import type { HttpAnswer, ReceivedRequest, ServedExchange } from "@roundtrip/styles/http/server";
import { restService } from "@roundtrip/styles/rest/server";
import { type RequestWatch, serveDefaults } from "./basics/stack.ts";
import { graphqlHttp } from "./graphql/servers/graphql-http.ts";
import { preparedService } from "./registry.ts";
import { settingsWith } from "./shared/settings.ts";

const { maxMessageBytes } = serveDefaults;

/** Stands for the connection of all requests, whose memory is limited together. */
const connection = {};

function received({ method, headers }: Request, { host, pathname, search }: URL): ReceivedRequest {
  const sent = { host, ...Object.fromEntries(headers) };
  const headersDistinct = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, [value]]));
  return { method, url: `${pathname}${search}`, headers: sent, headersDistinct, socket: connection };
}

async function* piecesOf({ body }: Request): AsyncGenerator<Uint8Array> {
  if (body !== null) yield* body as AsyncIterable<Uint8Array>;
}

async function answerOf(exchange: ServedExchange, request: Request): Promise<HttpAnswer> {
  switch (exchange.takes) {
    case "nothing":
      return exchange.answer(undefined);
    case "pieces":
      return exchange.answerPieces(piecesOf(request));
    case "body": {
      const body = new Uint8Array(await request.arrayBuffer());
      if (body.length <= maxMessageBytes) return exchange.answer(body.length === 0 ? undefined : body);
      return exchange.refuse(
        new CallError("RESOURCE_EXHAUSTED", `the request is larger than ${maxMessageBytes} bytes`),
      );
    }
  }
}

async function* encoded({ body, cut }: HttpAnswer): AsyncGenerator<Uint8Array> {
  const pieces = typeof body === "string" || body instanceof Uint8Array ? [body] : (body ?? []);
  for await (const piece of pieces) {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    yield cut === "inside" ? firstHalf(bytes) : bytes;
    if (cut === "inside") throw new ConnectionCut();
  }
}

/** A cut before the answer is a network error. */
function responseOf(answer: HttpAnswer): Response {
  const { status, headers, body, cut } = answer;
  if (cut === "before") return Response.error();
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const isWhole = cut === undefined && (body === undefined || typeof body === "string");
  return new Response(isWhole ? (body ?? null) : ReadableStream.from(encoded(answer)), { status, headers: named });
}

/** Answers a request as the servers of REST and GraphQL do. @param url the requested one, as if the service were at the root of its host */
export type FetchHandler = (request: Request, url: URL) => Promise<Response>;

/** Serves a service without a port. Rejects with a StackError for a contract that REST or GraphQL cannot serve. */
export async function fetchHandler(
  given: Service,
  watches: Readonly<Record<"rest" | "graphql", RequestWatch>>,
): Promise<FetchHandler> {
  const options = { ...serveDefaults, maxMessageBytes };
  const rest = watches.rest.overHttp(restService(preparedService(given, watches.rest), options));
  const service = preparedService(given, watches.graphql);
  const parts = graphqlParts(service, settingsWith(graphqlSettings, {}));
  const answering = { ...parts, ...graphqlHttp(parts) };
  const graphql = watches.graphql.overHttp(await graphqlService({ service, ...options }, answering));
  return async (request, url) => {
    const isGraphql = url.pathname === graphqlPath;
    const exchange = (isGraphql ? graphql : rest).begin(received(request, url));
    request.signal.addEventListener("abort", () => exchange.cancel(), { once: true });
    return responseOf(await answerOf(exchange, request));
  };
}
