// Serves a contract over gRPC with Connect's router and its adapter for Node.js.
import { universalResponseToNodeResponse } from "@connectrpc/connect-node";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { CallError, type ConnectionCut, type Metadata } from "@roundtrip/contract";
import { answerHeaders, cutPart, fittingError, type ServedMethod } from "@roundtrip/styles/grpc/server";
import type {
  Http2ServerRequest,
  Http2ServerResponse,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
  ServerHttp2Stream,
} from "node:http2";
import { metadataIn } from "@roundtrip/styles/server";
import { once } from "node:events";
import {
  checkBinary,
  CountedResponse,
  cutStream,
  handlersOf,
  type IncomingCall,
  piecesUntilAnswer,
  receivedRequest,
  withoutMessage,
} from "../../shared/connect-node/implementation.ts";
import { wholeMessages } from "../../shared/connect-node/whole-messages.ts";
import { answerHeadersOnly, grpcBy, type GrpcOptions, refusal } from "../serve-grpc.ts";

// One gRPC call on Node.js's compatibility layer, for the methods that Connect's library calls.

class GrpcCall implements IncomingCall {
  readonly metadata: Metadata;
  readonly connection: object | undefined;
  readonly #stream: ServerHttp2Stream;
  readonly #method: ServedMethod;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, method: ServedMethod) {
    this.#stream = stream;
    this.#method = method;
    this.metadata = metadataIn(headers);
    this.connection = stream.session;
  }

  fit(error: CallError): CallError {
    return fittingError(error);
  }

  async cut(cut: ConnectionCut): Promise<void> {
    const stream = this.#stream;
    const part = cutPart(this.#method.operation, cut);
    if (part !== undefined && !stream.headersSent && !stream.closed) stream.respond(answerHeaders);
    cutStream(stream, part);
    if (!stream.closed) await once(stream, "close");
  }
}

const noStatus = "0";

function handlerOf(method: ServedMethod, { maxMessageBytes, coding }: GrpcOptions): UniversalHandler {
  const options = { connect: false, grpcWeb: false, maxMessageBytes, coding, checkOf: checkBinary };
  return handlersOf(method.service, [method], options)[0] as UniversalHandler;
}

/** Escapes the message as grpc-js turns it back: the library escapes more characters. */
function escapeMessage(trailer: Headers): Headers {
  const message = trailer.get("grpc-message");
  if (message !== null) trailer.set("grpc-message", encodeURI(decodeURIComponent(message)));
  return trailer;
}

/** The headers of an answer that is an error ("Trailers-Only"): the library would send two frames, and metadata only with the second. */
function headersOf({ status, header }: UniversalServerResponse, trailer: Headers): OutgoingHttpHeaders {
  return { ...Object.fromEntries(header ?? []), ...Object.fromEntries(trailer), ":status": status };
}

function bodyOf(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  { method, maxMessageBytes }: AnsweredMethod,
): AsyncIterable<Uint8Array> {
  const check = checkBinary(method.operation);
  return wholeMessages(piecesUntilAnswer(request), { request, response, check, maxMessageBytes });
}

interface AnsweredMethod {
  readonly method: ServedMethod;
  readonly handler: UniversalHandler;
  readonly maxMessageBytes: number;
  readonly coding: string;
}

async function answer(
  answered: AnsweredMethod,
  call: GrpcCall,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): Promise<void> {
  const received = receivedRequest(request, response, call, answered.coding);
  const { handler, method } = answered;
  const made = withoutMessage(
    await handler({ ...received, body: bodyOf(request, response, answered) }),
    method.operation,
  );
  const trailer = new Headers(made.trailer);
  if (trailer.get("grpc-status") !== noStatus) {
    answerHeadersOnly(request.stream, headersOf(made, escapeMessage(trailer)));
    return;
  }
  const escaped = {
    ...made,
    // Read when the last message is out.
    get trailer() {
      return escapeMessage(new Headers(made.trailer));
    },
  };
  await universalResponseToNodeResponse(escaped, response);
}

export const serve = grpcBy({
  responseClass: CountedResponse as typeof Http2ServerResponse,
  attach(server, receive, options) {
    const handlers = new WeakMap<ServedMethod, UniversalHandler>();
    const handlerFor = (method: ServedMethod): UniversalHandler => {
      const known = handlers.get(method) ?? handlerOf(method, options);
      handlers.set(method, known);
      return known;
    };
    server.on("request", (request, response) => {
      const { stream, headers } = request;
      receive(stream, headers, (method) => {
        const call = new GrpcCall(stream, headers, method);
        const { maxMessageBytes, coding } = options;
        const answered = { method, handler: handlerFor(method), maxMessageBytes, coding };
        answer(answered, call, request, response).catch(() => {
          // The caller is gone, or the request names an invalid host.
          if (!stream.headersSent)
            answerHeadersOnly(stream, refusal(new CallError("INVALID_ARGUMENT", "the request has no valid host")));
        });
      });
    });
  },
});
