// Calls streaming operations: newline-delimited JSON or bytes, in both directions.
import { create, type Message } from "@bufbuild/protobuf";
import { onlyRequest, type Contract, type InvokeStream, type Operation } from "@roundtrip/contract";
import type { HttpStream } from "../../shared/http/http-message.ts";
import type { HttpTransport } from "../../shared/http/http-transport.ts";
import { wholeResponse } from "../../shared/http/whole-response.ts";
import { noStreams } from "../../shared/unsupported-feature.ts";
import { foreignAnswer, requestHeaders } from "../../shared/http/call-headers.ts";
import { reportGatewayMetadata } from "../calling/report-metadata.ts";
import { clientRoute } from "../calling/client-route.ts";
import { jsonMediaType } from "../../shared/http/json-body.ts";
import { limitations } from "../limitations.ts";
import { anyType, contentTypeIn, httpBodyMessages } from "../http-body.ts";
import { linesType } from "./lines.ts";
import { answerOctets, octetMessages, octetsType } from "./octets.ts";
import { piecesOf, requestsForm } from "./requests-form.ts";
import { jsonMessages, typeOf } from "./stream-reader.ts";

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
