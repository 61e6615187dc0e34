// Calls a contract over REST with any library.
import { create, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  type CallOptions,
  type Client,
  ClientSideError,
  type Contract,
  fieldPaths,
  type FieldPaths,
  type HttpBinding,
  type Invoke,
  type InvokeStream,
  onlyRequest,
  type Operation,
} from "@roundtrip/contract";
import { withGatewayMetadata } from "./dialects.ts";
import { errorOf, isBareNotFound } from "./errors.ts";
import { limitations } from "./index.ts";
import {
  answerHttpBody,
  answerOctets,
  anyType,
  contentTypeIn,
  httpBodyMessages,
  type HttpBodyPlace,
  octetMessages,
  octetsType,
  setRawBody,
} from "./raw-bodies.ts";
import { requestWriter, type WriteRequest } from "./requests/request-writer.ts";
import { answersNothing, createdResource, type ReadResponse, responseReader } from "./response-codec.ts";
import { jsonMessages, piecesOf, requestsForm } from "./streams/client-streams.ts";
import { linesType } from "./streams/lines.ts";
import type { eventsType } from "./streams/stream-form.ts";
export { eventsType } from "./streams/stream-form.ts";
export { linesType } from "./streams/lines.ts";
import {
  foreignAnswer,
  type HttpResponse,
  type HttpStream,
  type HttpStreamRequest,
  type HttpTransport,
  reportMetadata,
  requestHeaders,
  wholeResponse,
} from "../shared/http/client.ts";
import { noStreams, noTogether } from "../shared/limitations.ts";
import { jsonMediaType } from "../shared/call-headers.ts";

/** Reports the metadata of an answer in any dialect. */
function reportGatewayMetadata(options: CallOptions | undefined, { headers }: Pick<HttpResponse, "headers">): void {
  if (options?.onMetadata !== undefined) reportMetadata(options, { headers: withGatewayMetadata(headers) });
}

// A client's route for an operation, compiled once: writes requests and reads responses.

interface ClientRoute {
  readonly binding: HttpBinding;
  readonly method: string;
  readonly write: WriteRequest;
  readonly fields: FieldPaths;
  /** The media types that the client accepts for a whole answer. */
  readonly accept: string;
  /** The HttpBody that the body of an answer is; undefined for JSON. */
  readonly rawAnswer: HttpBodyPlace | undefined;
  /** For example `GET /v1/customers/{id}`. */
  readonly name: string;
  /** Reads the message of a response. Throws the CallError in the response, or UNKNOWN if the response does not match the contract. */
  readonly read: (response: HttpResponse) => Message;
}

/** The success statuses. Other dialects answer 200 instead of 201, and 200 with an empty object instead of 204. */
function expectedOf(contract: Contract, operation: Operation): readonly number[] {
  if (answersNothing(operation)) return [204, 200];
  return createdResource(contract, operation, operation.bindings[0]) === undefined ? [200] : [201, 200];
}

const emptyObject = /^\s*(?:\{\s*\}\s*)?$/;

/** Reads an answer of no content. Throws an Error for any content but an empty JSON object. */
function emptyReader({ output }: Operation): ReadResponse {
  return (body) => {
    if (!emptyObject.test(Buffer.from(body).toString("latin1"))) throw new Error("the answer has content");
    return create(output);
  };
}

function bodyReader(contract: Contract, operation: Operation, binding: HttpBinding): ReadResponse {
  // An answer to HEAD has no body (RFC 9110, section 9.3.2).
  if (binding.method === "HEAD") return () => create(operation.output);
  return answersNothing(operation) ? emptyReader(operation) : responseReader(contract, operation, binding);
}

/** A request that cannot be written is the client's own error. */
function writing(write: WriteRequest): WriteRequest {
  return (request) => {
    try {
      return write(request);
    } catch (thrown) {
      throw ClientSideError.of(thrown);
    }
  };
}

function clientRoute(contract: Contract, operation: Operation): ClientRoute {
  const [binding] = operation.bindings;
  const readBody = bodyReader(contract, operation, binding);
  const rawAnswer = binding.method === "HEAD" ? undefined : answerHttpBody(operation, binding);
  const expected = expectedOf(contract, operation);
  const fields = fieldPaths(operation.input, ({ jsonName }) => jsonName);
  const name = `${binding.method} ${binding.path.source}`;
  return {
    binding,
    // `*` in a contract's custom method means any method.
    method: binding.method === "*" ? "POST" : binding.method,
    write: writing(requestWriter(contract, operation, binding)),
    fields,
    accept: rawAnswer === undefined ? jsonMediaType : anyType,
    rawAnswer,
    name,
    read: (response) => {
      if (response.status >= 400) throw fields.restored(errorOf(response));
      if (!expected.includes(response.status)) throw foreignAnswer(response, name, undefined);
      if (rawAnswer !== undefined) {
        const message = create(operation.output);
        setRawBody(message, rawAnswer, { type: contentTypeIn(response), bytes: response.body });
        return message;
      }
      try {
        return readBody(response.body);
      } catch (thrown) {
        throw foreignAnswer(response, name, thrown);
      }
    },
  };
}

/** A router answers at once; a call's caller does not wait for it much longer than for the call. */
const mostProbeMs = 1_000;

/**
 * Throws the client's NOT_FOUND for the 404 of a router that has no such path. It gives the same to OPTIONS, but for a path that it has, another error or an
 * answer: so the 404 is of the service.
 */
async function requireRoute(http: HttpTransport, request: HttpStreamRequest, response: HttpResponse): Promise<void> {
  if (!isBareNotFound(response)) return;
  const timeoutMs = Math.min(request.timeoutMs ?? mostProbeMs, mostProbeMs);
  const probed = await http.send({ ...request, method: "OPTIONS", body: undefined, timeoutMs }).catch(() => undefined);
  if (probed !== undefined && isBareNotFound(probed)) throw new ClientSideError("NOT_FOUND", "HTTP 404: no such path");
}

interface RestClientOptions {
  readonly maxMessageBytes: number;
  /** How answers stream that are no bytes. */
  readonly streamType: typeof linesType | typeof eventsType;
}

type Requests = Parameters<InvokeStream>[0];

function serverStream(
  http: HttpTransport,
  contract: Contract,
  operation: Operation,
  { maxMessageBytes: maxBytes, streamType }: RestClientOptions,
): InvokeStream {
  const route = clientRoute(contract, operation);
  const { rawAnswer } = route;
  const octets = answerOctets(operation, route.binding);
  const accept = rawAnswer === undefined ? (octets === undefined ? streamType : octetsType) : anyType;
  const jsonMessagesOf = jsonMessages(contract, operation, route, maxBytes);
  const newMessage = (): Message => create(operation.output);
  const messagesOf = (response: HttpStream): AsyncGenerator<Message> => {
    if (rawAnswer !== undefined) {
      const raw = { pieces: response.body, type: contentTypeIn(response), maxBytes, newMessage };
      return httpBodyMessages(raw, rawAnswer);
    }
    return octets !== undefined && contentTypeIn(response).startsWith(octetsType)
      ? octetMessages(response.body, octets, maxBytes)
      : jsonMessagesOf(response);
  };
  return async function* (requests, options) {
    const { url, body, type: ownType } = route.write(await onlyRequest(requests));
    const sent = {
      method: route.method,
      path: url,
      headers: requestHeaders({ accept, ...(ownType === undefined ? {} : { "content-type": ownType }) }, options),
      body,
      timeoutMs: options?.timeoutMs,
      signal: options?.signal,
    };
    const response = await http.stream(sent);
    reportGatewayMetadata(options, response);
    const type = contentTypeIn(response);
    // grpc-gateway states no type for a stream without messages.
    const isStream =
      response.status === 200 &&
      (rawAnswer !== undefined || type.startsWith(accept) || type.startsWith(jsonMediaType) || type === "");
    if (!isStream) {
      const whole = await wholeResponse(response, maxBytes);
      await requireRoute(http, sent, whole);
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
    const sent = {
      method: route.method,
      path: url,
      headers,
      body: first.done === true ? "" : piecesOf(begunWith(first.value, iterator), form, url),
      timeoutMs: options?.timeoutMs,
      signal: options?.signal,
    };
    const response = await http.stream(sent);
    reportGatewayMetadata(options, response);
    const whole = await wholeResponse(response, maxBytes);
    await requireRoute(http, sent, whole);
    yield route.read(whole);
  };
}

function prepareStream(
  http: HttpTransport,
  contract: Contract,
  operation: Operation,
  options: RestClientOptions,
): InvokeStream {
  switch (operation.kind) {
    case "server_streaming":
      return serverStream(http, contract, operation, options);
    case "client_streaming":
      return clientStream(http, contract, operation, options.maxMessageBytes);
    default:
      return noStreams(operation, limitations);
  }
}

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
    const sent = {
      method,
      path: url,
      headers: requestHeaders(typed, options),
      body,
      timeoutMs: options?.timeoutMs,
      signal: options?.signal,
    };
    const response = await http.send(sent);
    reportGatewayMetadata(options, response);
    if (response.status === 404) await requireRoute(http, sent, response);
    return read(response);
  };
}

/** A client of the contract on these connections. Closing it closes them. */
export function restClient(
  http: HttpTransport,
  contract: Contract,
  { maxMessageBytes, streamType = linesType }: Pick<RestClientOptions, "maxMessageBytes"> & Partial<RestClientOptions>,
): Client {
  const options = { maxMessageBytes, streamType };
  return {
    contract,
    prepare: (operation) => prepare(http, contract, operation),
    prepareStream: (operation) => prepareStream(http, contract, operation, options),
    prepareTogether: noTogether(limitations),
    close: () => http.close(),
  };
}
