// What every GraphQL server does around its library: the endpoint, request bodies, access to the schema, the page for browsers, streams of results,
// and errors that occur before GraphQL execution.
import type { Contract, ExampleOf, Service } from "@roundtrip/contract";
import {
  type Audience,
  asksForSchema,
  audienceOf,
  checkMayReadSchema,
  errorAnswer,
  type FormatError,
  graphqlPath,
  httpContextOf,
  nothingAt,
  type serviceSchema,
} from "@roundtrip/styles/graphql/server";
import { checkJsonType, parsedJson, type WholeAnswer } from "@roundtrip/styles/http/server";
import { jsonReader } from "@roundtrip/styles/server";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { bodyReader, type ReadBytes } from "../shared/node-server/request-body.ts";

/** A request whose body has been read. A received request always has a method and a URL. */
export interface ReceivedGraphql extends IncomingMessage {
  readonly method: string;
  url: string;
  /** Parsed JSON; undefined without a body. */
  body?: unknown;
}

/** A request that only the library can answer. */
export interface GraphqlExchange {
  readonly request: ReceivedGraphql;
  readonly response: ServerResponse;
  /** Callers of the `older` kind get the status of `olderStatus`. */
  readonly audience: Audience;
  /** Answers an error that occurs before GraphQL execution. */
  readonly fail: (thrown: unknown) => void;
}

/** How a library takes part. */
export interface GraphqlLibrary {
  /** Reads bodies of at most `maxMessageBytes` after decompression. */
  readonly read: ReadBytes;
  /** Answers a request to the endpoint. */
  readonly answer: (exchange: GraphqlExchange) => void;
}

export interface GraphqlParts {
  readonly service: Service;
  readonly schema: ReturnType<typeof serviceSchema>;
  readonly format: FormatError;
  readonly maxMessageBytes: number;
  /** Makes the example requests of the page for browsers. */
  readonly examplesOf: (contract: Contract) => Promise<ExampleOf>;
}

/** Writes an answer, with the headers that calls have set. Does nothing if the caller is gone. */
export function writeAnswer({ status, headers, body }: Omit<WholeAnswer, "cut">, response: ServerResponse): void {
  if (!response.destroyed) response.writeHead(status, headers).end(body);
}

/** A request target without scheme and host, which it may have (RFC 9112, section 3.2.2). */
function originForm(url: string): string {
  if (url.startsWith("/")) return url;
  const parsed = URL.parse(url);
  return parsed === null ? url : parsed.pathname + parsed.search;
}

function pathOf(url: string): string {
  const mark = url.indexOf("?");
  return mark === -1 ? url : url.slice(0, mark);
}

function failWith({ headers }: IncomingMessage, response: ServerResponse): (thrown: unknown) => void {
  return (thrown) => {
    // A begun answer can only be broken off.
    if (response.headersSent) response.destroy();
    else writeAnswer(errorAnswer(thrown, headers.accept), response);
  };
}

type Handle = (exchange: GraphqlExchange) => void;

/** Answers browsers with the page that shows the schema. Loaded on first use. */
function pageFor({ service, examplesOf }: GraphqlParts): Handle {
  const answer = async ({ request, response }: GraphqlExchange): Promise<void> => {
    await checkMayReadSchema(service, request, response);
    const { graphqlPage } = await import("@roundtrip/styles/graphql/page");
    const scheme = "encrypted" in request.socket ? "https" : "http";
    const location = `${scheme}://${request.headers.host ?? "localhost"}${graphqlPath}`;
    writeAnswer(graphqlPage(service.contract, location, await examplesOf(service.contract)), response);
  };
  return (exchange) => void answer(exchange).catch(exchange.fail);
}

/** Answers requests for a stream of results, and passes on all others. Loaded only if the contract has a stream. */
async function withStreams({ schema, format }: GraphqlParts, pass: Handle): Promise<Handle> {
  if ((schema.getSubscriptionType() ?? undefined) === undefined) return pass;
  const { asksForEvents, streamedResults, writeEvents } = await import("@roundtrip/styles/graphql/streams");
  const { answer, textOf } = streamedResults(schema, format);
  const stream = async ({ request, response }: GraphqlExchange): Promise<void> => {
    const results = await answer(request.body, { http: httpContextOf(request, response) });
    await writeEvents(response, results, textOf);
  };
  return (exchange) => {
    if (asksForEvents(exchange.request)) void stream(exchange).catch(exchange.fail);
    else pass(exchange);
  };
}

/** Reads a JSON body, checks access if the request asks for the schema, and passes it on. */
function withBody({ service, maxMessageBytes }: GraphqlParts, read: ReadBytes, pass: Handle): Handle {
  const readBody = bodyReader(read, maxMessageBytes);
  const parse = jsonReader(...service.contract.operations.map(({ input }) => input));
  return (exchange) => {
    const { request, response, fail } = exchange;
    const received = (bytes: Uint8Array | undefined): void => {
      try {
        if (bytes !== undefined) checkJsonType(request.headers["content-type"]);
        request.body = bytes === undefined ? undefined : parsedJson(bytes, parse);
      } catch (thrown) {
        fail(thrown);
        return;
      }
      if (!asksForSchema(request)) pass(exchange);
      else checkMayReadSchema(service, request, response).then(() => pass(exchange), fail);
    };
    readBody(request, response, received, fail);
  };
}

/** The request listener of a GraphQL server. */
export async function graphqlListener(parts: GraphqlParts, { read, answer }: GraphqlLibrary): Promise<RequestListener> {
  const page = pageFor(parts);
  // Whatever the library throws at once would end the process, because a body has been waited for.
  const answerOrFail: Handle = (exchange) => {
    try {
      answer(exchange);
    } catch (thrown) {
      exchange.fail(thrown);
    }
  };
  const program = withBody(parts, read, await withStreams(parts, answerOrFail));
  return (received, response) => {
    const request = received as ReceivedGraphql;
    request.url = originForm(request.url);
    const path = pathOf(request.url);
    if (path !== graphqlPath && path !== `${graphqlPath}/`) {
      writeAnswer(nothingAt(path, request.headers.accept), response);
      return;
    }
    const exchange = { request, response, audience: audienceOf(request), fail: failWith(request, response) };
    if (exchange.audience === "people") page(exchange);
    else program(exchange);
  };
}
