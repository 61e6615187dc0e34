// The GraphQL client on graphql-request.
import {
  graphqlClientOn,
  type GraphqlResponse,
  type GraphqlTransport,
  invalidResponse,
} from "@roundtrip/styles/graphql/client";
import { CallError } from "@roundtrip/contract";
import { type HttpStream, responseTooLarge, wholeResponse } from "@roundtrip/styles/http/client";
import { ClientError, GraphQLClient } from "graphql-request";
import { connectOver } from "../../shared/calls.ts";
import type { ConnectOptions } from "../../basics/stack.ts";
import {
  dispatcherOn,
  FetchExchange,
  fetchOn,
  fetchSender,
  headersOf,
  piecesOf,
} from "../../shared/fetch-transport.ts";
import { encodedRequest } from "../../shared/compressing-client.ts";
import { clientCompression, type SettingsOf, splitSettings, undiciSettings } from "../../shared/settings.ts";
import { type PooledOrigin, pooledTransport } from "../../shared/undici/pool.ts";
import { graphqlRequestSettings } from "../libraries.ts";

// GraphQL over graphql-request. Streams, which it does not have, go over the fetch below it.

/** Limits the size of a body whose length is unknown, or known only encoded. Throws RESOURCE_EXHAUSTED for one that is too large. */
function limited(response: Response, maxBytes: number): Response {
  const { status, headers } = response;
  const length = headers.get("content-length");
  if (Number(length ?? 0) > maxBytes) throw responseTooLarge(maxBytes);
  if (length !== null && !headers.has("content-encoding")) return response;
  const stream: HttpStream = { status, headers: {}, body: piecesOf(response.body) };
  const text = async (): Promise<string> => (await wholeResponse(stream, maxBytes)).body.toString();
  return Object.defineProperty(response, "text", { value: text });
}

type Received = Pick<ClientError["response"], "status" | "headers" | "data" | "errors">;

function responseOf({ status, headers, data, errors }: Received): GraphqlResponse {
  return {
    status,
    headers: headersOf(headers),
    result() {
      // A list is one of several results, which nobody has asked for.
      if ((data === undefined && errors === undefined) || Array.isArray(data)) throw invalidResponse(status);
      return { data, errors } as ReturnType<GraphqlResponse["result"]>;
    },
  };
}

/** Errors of fetch are TypeErrors, or those that have ended the exchange. graphql-request's own are about the body of a successful answer. */
function isOfFetch(thrown: unknown): boolean {
  return thrown instanceof TypeError || thrown instanceof DOMException || thrown instanceof CallError;
}

async function received(answer: Promise<Received>): Promise<GraphqlResponse> {
  try {
    return responseOf(await answer);
  } catch (thrown) {
    // Any status but success.
    if (thrown instanceof ClientError) return responseOf(thrown.response);
    throw isOfFetch(thrown) ? thrown : invalidResponse(200);
  }
}

const ownSettings = [...graphqlRequestSettings, ...clientCompression] as const;

/** The library writes the body; fetch decodes answers. */
async function encodedInit({ headers, body, ...init }: RequestInit, coding: string): Promise<RequestInit> {
  const request = { headers: Object.fromEntries(new Headers(headers)), body: body as string | Uint8Array };
  return { ...init, ...(await encodedRequest(request, coding)) };
}

function senderOn(
  pooled: PooledOrigin,
  { excludeOperationName, requestCompression: sent, responseCompression: asked }: SettingsOf<typeof ownSettings>,
): Omit<GraphqlTransport, "close"> {
  const { origin, maxMessageBytes } = pooled;
  const { stream } = fetchSender(pooled);
  const dispatchTo = dispatcherOn(pooled);
  const opened = new Map<string, GraphQLClient>();
  /** A client has one path. */
  const clientAt = (path: string): GraphQLClient => {
    const before = opened.get(path);
    if (before !== undefined) return before;
    const dispatch = dispatchTo(path);
    const made = new GraphQLClient(origin + path, {
      excludeOperationName,
      // Some of the operations in a document may fail.
      errorPolicy: "all",
      fetch: async (url, init = {}) => {
        const encoded = sent === "identity" ? init : await encodedInit(init, sent);
        return limited(await fetchOn(dispatch, url as URL, encoded), maxMessageBytes);
      },
    });
    opened.set(path, made);
    return made;
  };
  return {
    stream,
    send(call) {
      const { path, headers, variables } = call;
      const requestHeaders = asked === "identity" ? headers : { ...headers, "accept-encoding": asked };
      const { query } = call.document;
      return new FetchExchange(origin, call).answered((signal) =>
        received(clientAt(path).rawRequest({ query, variables, requestHeaders, signal })),
      );
    },
  };
}

/** Connects to the server at `url` (its origin) with the first call. */
function graphqlRequestTransport(options: ConnectOptions): GraphqlTransport {
  const { own, others } = splitSettings(ownSettings, undiciSettings, options.settings);
  return pooledTransport({ ...options, settings: others }, (pooled) => senderOn(pooled, own));
}

export const connect = connectOver(graphqlClientOn, graphqlRequestTransport);
