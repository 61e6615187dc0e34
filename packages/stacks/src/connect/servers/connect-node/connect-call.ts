// One Connect call on a request of Node.js, in either version of HTTP, for the methods that Connect's library calls.
import { toBinary } from "@bufbuild/protobuf";
import type { CallError, ConnectionCut, Metadata } from "@roundtrip/contract";
import { closeConnection, cutShort } from "@roundtrip/styles/http/server";
import { firstHalfOf, HeaderMap, receivedMetadata } from "@roundtrip/styles/server";
import { enveloped } from "@roundtrip/styles/connect/server";
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { ImplementedMethod, IncomingCall } from "../../../shared/connect-node/implementation.ts";
import { closeSessionAfter } from "../../../shared/http2/close-session.ts";

export type ServedRequest = IncomingMessage | Http2ServerRequest;
export type ServedResponse = ServerResponse | Http2ServerResponse;

const nothing = new Uint8Array();

function lacksHeader(headers: IncomingHttpHeaders, name: string): boolean {
  return !(name in headers);
}

/** Closes the connection of an HTTP/1.1 response, in the middle of these bytes if given. */
function cutHttp1(response: ServerResponse, type: string | undefined, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) {
    closeConnection(response);
    return;
  }
  cutShort(response);
  if (!response.headersSent) {
    response.writeHead(200, { "content-type": type ?? "application/proto", "content-length": bytes.length + 1 });
  }
  response.write(bytes);
}

function cutHttp2({ stream }: Http2ServerResponse, type: string | undefined, bytes: Uint8Array | undefined): void {
  if (bytes !== undefined && !stream.headersSent && !stream.closed) {
    stream.respond({ ":status": 200, "content-type": type ?? "application/proto" });
  }
  const part = bytes && firstHalfOf(() => bytes);
  // Earlier messages are sent first.
  closeSessionAfter(stream, part ?? (stream.writableLength > 0 ? nothing : undefined));
}

export class ConnectCall implements IncomingCall {
  readonly metadata: Metadata;
  readonly #request: ServedRequest;
  readonly #response: ServedResponse;
  readonly #method: ImplementedMethod;

  constructor(request: ServedRequest, response: ServedResponse, method: ImplementedMethod) {
    this.#request = request;
    this.#response = response;
    this.#method = method;
    this.metadata = new HeaderMap(request.headers, receivedMetadata, lacksHeader);
  }

  // oxlint-disable-next-line class-methods-use-this -- a body carries every error
  fit(error: CallError): CallError {
    return error;
  }

  async cut(cut: ConnectionCut): Promise<void> {
    const response = this.#response;
    const bytes = this.#bytesOf(cut);
    const type = this.#request.headers["content-type"];
    if ("stream" in response) cutHttp2(response, type, bytes);
    else cutHttp1(response, type, bytes);
    const { socket } = this.#request;
    if (!socket.destroyed) await once(socket, "close");
  }

  /** The message that is cut, as on the wire; undefined for none, and for one that cannot be written. */
  #bytesOf({ partOf }: ConnectionCut): Uint8Array | undefined {
    if (partOf === undefined) return undefined;
    const { output, kind } = this.#method.operation;
    try {
      const bytes = toBinary(output, partOf);
      return kind === "unary" ? bytes : enveloped(bytes);
    } catch {
      return undefined;
    }
  }
}
