// The places of calls on HTTP/2 connections, each with a transport of Connect's library.
import type { ConnectError, Transport } from "@connectrpc/connect";
import type { CallError } from "@roundtrip/contract";
import { serverUnavailable, streamReset } from "@roundtrip/styles/client";
import { constants } from "node:http2";
import type { Http2Connection } from "../http2/http2-connection.ts";
import type { Http2Connections } from "../http2/http2-connections.ts";
import { Http2Lane, type LaneCall } from "./http2-lane.ts";
import type { CallLane, CallLanes } from "./library-call.ts";

interface OnConnection {
  readonly lane: Http2Lane;
  readonly transport: Transport;
}

class Http2CallLane implements CallLane {
  readonly transport: Transport;
  readonly #connections: Http2Connections;
  readonly #connection: Http2Connection;
  readonly #call: LaneCall;

  constructor(connections: Http2Connections, connection: Http2Connection, { lane, transport }: OnConnection) {
    this.#connections = connections;
    this.#connection = connection;
    this.#call = { session: undefined, stream: undefined, fault: undefined };
    lane.beginning = this.#call;
    this.transport = transport;
  }

  get isRefused(): boolean {
    return this.#call.stream?.rstCode === constants.NGHTTP2_REFUSED_STREAM;
  }

  end(): void {
    const { stream } = this.#call;
    if (stream !== undefined && !stream.closed) {
      if (!stream.writableEnded) stream.end();
      // A stream is closed when its body has been received.
      stream.resume();
    }
    this.#connections.end(this.#connection);
  }

  lossOf(error: ConnectError): CallError | undefined {
    const { session, stream, fault } = this.#call;
    const { origin } = this.#connections.url;
    if (fault !== undefined) return serverUnavailable(origin, fault);
    if (session?.destroyed === true) {
      const cause = stream?.errored ?? error.cause;
      return serverUnavailable(origin, cause instanceof Error ? cause : undefined);
    }
    // The library has INTERNAL for a stream that its server has reset, whatever the reason.
    const isReset = (error.cause as NodeJS.ErrnoException | undefined)?.code === "ERR_HTTP2_STREAM_ERROR";
    return isReset ? streamReset(stream?.rstCode ?? constants.NGHTTP2_INTERNAL_ERROR) : undefined;
  }
}

/** @param transportOn makes a transport on a connection. */
export function http2Lanes(connections: Http2Connections, transportOn: (lane: Http2Lane) => Transport): CallLanes {
  const known = new WeakMap<Http2Connection, OnConnection>();
  return {
    begin() {
      const connection = connections.begin();
      let found = known.get(connection);
      if (found === undefined) {
        const lane = new Http2Lane(connection, connections.url);
        found = { lane, transport: transportOn(lane) };
        known.set(connection, found);
      }
      return new Http2CallLane(connections, connection, found);
    },
  };
}
