// Serves a contract over gRPC with Connect's router and its adapter for Node.js.
import { createConnectRouter, createContextValues } from "@connectrpc/connect";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { CallError, type ConnectionCut, type Metadata } from "@roundtrip/contract";
import {
  answerHeaders,
  cutPart,
  fittingError,
  receivedMetadata,
  type ServedMethod,
} from "@roundtrip/styles/grpc/server";
import type {
  Http2ServerRequest,
  Http2ServerResponse,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
  ServerHttp2Stream,
} from "node:http2";
import { HeaderMap } from "@roundtrip/styles/server";
import { once } from "node:events";
import type { ServeOptions } from "../../basics/stack.ts";
import { readCompressions } from "../../shared/connect-node/compressions.ts";
import {
  callKey,
  CountedResponse,
  implementationOf,
  type IncomingCall,
} from "../../shared/connect-node/implementation.ts";
import { wholeBody } from "../../shared/node-server/request-body.ts";
import { answerHeadersOnly, grpcBy, refusal } from "../serve-grpc.ts";
import { closeSessionAfter } from "../../shared/http2/session-watch.ts";

// One gRPC call on Node.js's compatibility layer, for the methods that Connect's library calls.

const nothing = new Uint8Array();

function lacksHeader(headers: IncomingHttpHeaders, name: string): boolean {
  return !(name in headers);
}

class GrpcCall implements IncomingCall {
  readonly metadata: Metadata;
  readonly #stream: ServerHttp2Stream;
  readonly #method: ServedMethod;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, method: ServedMethod) {
    this.#stream = stream;
    this.#method = method;
    this.metadata = new HeaderMap(headers, receivedMetadata, lacksHeader);
  }

  fit(error: CallError): CallError {
    return fittingError(error);
  }

  async cut(cut: ConnectionCut): Promise<void> {
    const stream = this.#stream;
    const part = cutPart(this.#method.operation, cut);
    if (part !== undefined && !stream.headersSent && !stream.closed) stream.respond(answerHeaders);
    // Earlier messages are sent first.
    closeSessionAfter(stream, part ?? (stream.writableLength > 0 ? nothing : undefined));
    if (!stream.closed) await once(stream, "close");
  }
}

/** Above every message: answers are not compressed, as by the other servers. */
const neverBytes = 0xff_ff_ff_ff;

const noStatus = "0";

function handlerOf(method: ServedMethod, { maxMessageBytes }: ServeOptions): UniversalHandler {
  const router = createConnectRouter({
    connect: false,
    grpcWeb: false,
    acceptCompression: [...readCompressions],
    compressMinBytes: neverBytes,
    readMaxBytes: maxMessageBytes,
    jsonOptions: { registry: method.service.contract.registry },
  });
  router.rpc(method.operation.method, implementationOf(method) as never);
  return router.handlers[0] as UniversalHandler;
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

/** The pieces of a request. The rest is discarded after the answer: the stream would stay open with it until the connection closes. */
function bodyUntilAnswer(request: Http2ServerRequest): AsyncIterable<Uint8Array> {
  const pieces = wholeBody(request)[Symbol.asyncIterator]();
  request.stream.once("finish", () => void pieces.return?.());
  return { [Symbol.asyncIterator]: () => pieces };
}

async function answer(
  handler: UniversalHandler,
  call: GrpcCall,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): Promise<void> {
  const contextValues = createContextValues().set(callKey, call);
  const received = universalRequestFromNodeRequest(request, response, undefined, contextValues);
  const answered = await handler({ ...received, body: bodyUntilAnswer(request) });
  const trailer = new Headers(answered.trailer);
  if (trailer.get("grpc-status") !== noStatus) {
    answerHeadersOnly(request.stream, headersOf(answered, escapeMessage(trailer)));
    return;
  }
  const escaped = {
    ...answered,
    // Read when the last message is out.
    get trailer() {
      return escapeMessage(new Headers(answered.trailer));
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
        answer(handlerFor(method), call, request, response).catch(() => {
          // The caller is gone, or the request names an invalid host.
          if (!stream.headersSent)
            answerHeadersOnly(stream, refusal(new CallError("INVALID_ARGUMENT", "the request has no valid host")));
        });
      });
    });
  },
});
