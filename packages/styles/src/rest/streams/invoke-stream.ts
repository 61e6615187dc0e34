// Calls streaming operations: newline-delimited JSON or bytes, in both directions.
import { create, type JsonValue, type Message } from "@bufbuild/protobuf";
import { CallError, onlyRequest, type Contract, type InvokeStream, type Operation } from "@roundtrip/contract";
import type { HttpStream } from "../../shared/http/http-message.ts";
import type { HttpTransport } from "../../shared/http/http-transport.ts";
import { wholeResponse } from "../../shared/http/whole-response.ts";
import { noStreams } from "../../shared/unsupported-feature.ts";
import { foreignAnswer, requestHeaders, reportMetadata } from "../../shared/http/call-headers.ts";
import { clientRoute, type ClientRoute } from "../calling/client-route.ts";
import { errorFrom } from "../errors.ts";
import { jsonReader, jsonSubject, type ParseJson } from "../../shared/proto-json/exact-json.ts";
import { limitations } from "../limitations.ts";
import { linesOf, linesType } from "./lines.ts";
import { answerOctets, octetMessages, octetsType } from "./octets.ts";
import { piecesOf, requestsForm } from "./requests-form.ts";
import { messageReader } from "../answers/response-codec.ts";
import { errorKeyOf } from "./stream-form.ts";

type Requests = Parameters<InvokeStream>[0];

/** The error in a line; undefined for a message. */
function errorInLine(json: JsonValue, key: string): CallError | undefined {
  if (typeof json !== "object" || json === null || !Object.hasOwn(json, key) || Object.keys(json).length > 1) {
    return undefined;
  }
  return errorFrom((json as Record<string, JsonValue>)[key]);
}

const utf8 = new TextDecoder();

/** Reads lines as messages. Throws the error of the call. */
function lineReader(contract: Contract, operation: Operation, route: ClientRoute): (line: Uint8Array) => Message {
  const { binding, fields } = route;
  const parse: ParseJson = jsonReader(jsonSubject(operation.output, binding.responseBody));
  const read = messageReader(contract, operation, binding);
  const errorKey = errorKeyOf(operation, binding);
  return (line) => {
    const json = parse(utf8.decode(line));
    const error = errorInLine(json, errorKey);
    if (error !== undefined) throw fields.restored(error);
    return read(json);
  };
}

function linesReader(contract: Contract, operation: Operation, route: ClientRoute, maxBytes: number) {
  const readLine = lineReader(contract, operation, route);
  return async function* (response: HttpStream): AsyncGenerator<Message> {
    for await (const line of linesOf(response.body, maxBytes)) {
      let message: Message;
      try {
        message = readLine(line);
      } catch (thrown) {
        throw thrown instanceof CallError ? thrown : foreignAnswer(response, route.name, thrown);
      }
      yield message;
    }
  };
}

function serverStream(http: HttpTransport, contract: Contract, operation: Operation, maxBytes: number): InvokeStream {
  const route = clientRoute(contract, operation);
  const octets = answerOctets(operation, route.binding);
  const accept = octets === undefined ? linesType : octetsType;
  const withoutBody = { accept };
  const withBody = { accept, "content-type": "application/json" };
  const messagesOf =
    octets === undefined
      ? linesReader(contract, operation, route, maxBytes)
      : ({ body }: HttpStream) => octetMessages(body, octets, maxBytes);
  return async function* (requests, options) {
    const { url, body } = route.write(await onlyRequest(requests));
    const response = await http.stream({
      method: route.method,
      path: url,
      headers: requestHeaders(body === undefined ? withoutBody : withBody, options),
      body,
      timeoutMs: options?.timeoutMs,
      signal: options?.signal,
    });
    reportMetadata(options, response);
    const isStream = response.status === 200 && String(response.headers["content-type"]).startsWith(accept);
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
  const ownHeaders = { accept: "application/json", "content-type": form.type };
  return async function* (requests, options) {
    const headers = requestHeaders(ownHeaders, options);
    const iterator = asynchronous(requests);
    const first = await iterator.next();
    // The first request determines the URL; without requests, an empty one does.
    const url = form.urlOf(first.done === true ? create(operation.input) : first.value);
    const response = await http.stream({
      method: route.method,
      path: url,
      headers,
      body: first.done === true ? "" : piecesOf(begunWith(first.value, iterator), form, url),
      timeoutMs: options?.timeoutMs,
      signal: options?.signal,
    });
    reportMetadata(options, response);
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
