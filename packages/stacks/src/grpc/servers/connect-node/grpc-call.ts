// One gRPC call on Node.js's compatibility layer, for the methods that Connect's library calls.
import type { CallError, ConnectionCut, Metadata } from "@roundtrip/contract";
import { HeaderMap } from "@roundtrip/styles/server";
import {
  answerHeaders,
  cutPart,
  fittingError,
  receivedMetadata,
  type ServedMethod,
} from "@roundtrip/styles/grpc/server";
import { once } from "node:events";
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { IncomingCall } from "../../../shared/connect-node/implementation.ts";
import { closeSessionAfter } from "../../../shared/http2/close-session.ts";

const nothing = new Uint8Array();

function lacksHeader(headers: IncomingHttpHeaders, name: string): boolean {
  return !(name in headers);
}

export class GrpcCall implements IncomingCall {
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
