// Calls a contract over REST with any library.
import { jsonMediaType, badRequest } from "../shared/proto-json/json-text.ts";
import { create, type DescField, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  type Client,
  type Contract,
  type Invoke,
  type InvokeStream,
  onlyRequest,
  type Operation,
} from "@roundtrip/contract";
import { type ClientRoute, clientRoute, reportGatewayMetadata } from "./client-route.ts";
import { limitations } from "./index.ts";
import {
  answerOctets,
  anyType,
  contentTypeIn,
  httpBodyMessages,
  type HttpBodyPlace,
  octetMessages,
  octetsOf,
  octetsType,
  rawBodyOf,
  requestHttpBody,
  requestOctets,
  withoutOctets,
} from "./raw-bodies.ts";
import { linesType } from "./streams/lines.ts";
import { jsonMessages, typeOf } from "./streams/stream-reader.ts";
import {
  foreignAnswer,
  requestHeaders,
  type HttpStream,
  type HttpTransport,
  wholeResponse,
} from "../shared/http/client.ts";
import { noStreams, unsupportedFeature } from "../shared/limitations.ts";

// How a client writes a request stream: as JSON lines, or as the bytes of a field.

export interface RequestsForm {
  /** The media type of the stream, by its first request; undefined for none. */
  readonly typeOf: (first: Message) => string | undefined;
  readonly urlOf: (request: Message) => string;
  /** The request's part of the body. Throws if the request has another URL. */
  readonly piece: (request: Message, url: string) => Uint8Array;
}

function checkRoute(url: string, other: string): void {
  if (other !== url) throw badRequest(`the requests of one stream must have the same URL: ${url}, ${other}`);
}

function linesForm({ write }: ClientRoute): RequestsForm {
  return {
    typeOf: () => linesType,
    urlOf: (request) => write(request).url,
    piece(request, url) {
      const written = write(request);
      checkRoute(url, written.url);
      return Buffer.from(`${(written.body as string | undefined) ?? "null"}\n`);
    },
  };
}

function octetsForm({ write }: ClientRoute, field: DescField): RequestsForm {
  const urlOf = (request: Message): string => write(withoutOctets(request, field)).url;
  const isBytesAlone = field.parent.fields.length === 1;
  return {
    typeOf: () => octetsType,
    urlOf,
    piece(request, url) {
      if (!isBytesAlone) checkRoute(url, urlOf(request));
      return octetsOf(request, field);
    },
  };
}

function rawForm({ write }: ClientRoute, place: HttpBodyPlace): RequestsForm {
  return {
    typeOf: (first) => write(first).type,
    urlOf: (request) => write(request).url,
    piece(request, url) {
      checkRoute(url, write(request).url);
      return rawBodyOf(request, place).bytes;
    },
  };
}

export function requestsForm(operation: Operation, route: ClientRoute): RequestsForm {
  const raw = requestHttpBody(operation, route.binding);
  if (raw !== undefined) return rawForm(route, raw);
  const octets = requestOctets(operation, route.binding);
  return octets === undefined ? linesForm(route) : octetsForm(route, octets);
}

/** The pieces of a body. Throws if a request belongs to another URL. */
export async function* piecesOf(requests: AsyncIterable<Message>, { piece }: RequestsForm, url: string) {
  for await (const request of requests) yield piece(request, url);
}

// Calls streaming operations: newline-delimited JSON or bytes, in both directions.

type Requests = Parameters<InvokeStream>[0];

function serverStream(http: HttpTransport, contract: Contract, operation: Operation, maxBytes: number): InvokeStream {
  const route = clientRoute(contract, operation);
  const { rawAnswer } = route;
  const octets = answerOctets(operation, route.binding);
  const accept = rawAnswer === undefined ? (octets === undefined ? linesType : octetsType) : anyType;
  const jsonMessagesOf = jsonMessages(contract, operation, route, maxBytes);
  const newMessage = (): Message => create(operation.output);
  const messagesOf = (response: HttpStream): AsyncGenerator<Message> => {
    if (rawAnswer !== undefined) {
      const raw = { pieces: response.body, type: contentTypeIn(response), maxBytes, newMessage };
      return httpBodyMessages(raw, rawAnswer);
    }
    return octets !== undefined && typeOf(response).startsWith(octetsType)
      ? octetMessages(response.body, octets, maxBytes)
      : jsonMessagesOf(response);
  };
  return async function* (requests, options) {
    const { url, body, type: ownType } = route.write(await onlyRequest(requests));
    const response = await http.stream({
      method: route.method,
      path: url,
      headers: requestHeaders({ accept, ...(ownType === undefined ? {} : { "content-type": ownType }) }, options),
      body,
      timeoutMs: options?.timeoutMs,
      signal: options?.signal,
    });
    reportGatewayMetadata(options, response);
    const type = typeOf(response);
    // grpc-gateway states no type for a stream without messages.
    const isStream =
      response.status === 200 &&
      (rawAnswer !== undefined || type.startsWith(accept) || type.startsWith(jsonMediaType) || type === "");
    if (!isStream) {
      const whole = await wholeResponse(response, maxBytes);
      if (response.status >= 400) route.read(whole);
      throw foreignAnswer(response, route.name, undefined);
    }
    yield* messagesOf(response);
  };
}

async function* begunWith(first: Message, rest: AsyncIterator<Message>): AsyncGenerator<Message> {
  try {
    yield first;
    for (let result = await rest.next(); result.done !== true; result = await rest.next()) yield result.value;
  } finally {
    await rest.return?.();
  }
}

async function* asynchronous(requests: Requests): AsyncGenerator<Message> {
  yield* requests;
}

function clientStream(http: HttpTransport, contract: Contract, operation: Operation, maxBytes: number): InvokeStream {
  const route = clientRoute(contract, operation);
  const form = requestsForm(operation, route);
  return async function* (requests, options) {
    const iterator = asynchronous(requests);
    const first = await iterator.next();
    // The first request determines the URL; without requests, an empty one does.
    const head = first.done === true ? create(operation.input) : first.value;
    const url = form.urlOf(head);
    const type = form.typeOf(head);
    const { accept } = route;
    const headers = requestHeaders({ accept, ...(type === undefined ? {} : { "content-type": type }) }, options);
    const response = await http.stream({
      method: route.method,
      path: url,
      headers,
      body: first.done === true ? "" : piecesOf(begunWith(first.value, iterator), form, url),
      timeoutMs: options?.timeoutMs,
      signal: options?.signal,
    });
    reportGatewayMetadata(options, response);
    yield route.read(await wholeResponse(response, maxBytes));
  };
}

export function prepareStream(
  http: HttpTransport,
  contract: Contract,
  operation: Operation,
  maxMessageBytes: number,
): InvokeStream {
  switch (operation.kind) {
    case "server_streaming":
      return serverStream(http, contract, operation, maxMessageBytes);
    case "client_streaming":
      return clientStream(http, contract, operation, maxMessageBytes);
    default:
      return noStreams(operation, limitations);
  }
}

// A REST client of a contract, over any HTTP library.

function prepare(http: HttpTransport, contract: Contract, operation: Operation): Invoke {
  if (operation.kind !== "unary") {
    return () => Promise.reject(new CallError("UNIMPLEMENTED", `${operation.id} streams, and is called as a stream`));
  }
  const { method, accept, write, read } = clientRoute(contract, operation);
  const withoutBody = { accept };
  const withJson = { accept, "content-type": jsonMediaType };
  return async (request, options) => {
    const { url, body, type } = write(request);
    const typed =
      type === jsonMediaType ? withJson : type === undefined ? withoutBody : { accept, "content-type": type };
    const response = await http.send({
      method,
      path: url,
      headers: requestHeaders(typed, options),
      body,
      timeoutMs: options?.timeoutMs,
      signal: options?.signal,
    });
    reportGatewayMetadata(options, response);
    return read(response);
  };
}

/** A client of the contract on these connections. Closing it closes them. */
export function restClient(
  http: HttpTransport,
  contract: Contract,
  { maxMessageBytes }: { readonly maxMessageBytes: number },
): Client {
  return {
    contract,
    prepare: (operation) => prepare(http, contract, operation),
    prepareStream: (operation) => prepareStream(http, contract, operation, maxMessageBytes),
    prepareTogether: () => {
      throw unsupportedFeature(limitations, "together");
    },
    close: () => http.close(),
  };
}
