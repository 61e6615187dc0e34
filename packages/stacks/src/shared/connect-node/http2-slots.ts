// The places of calls on HTTP/2 connections, each with a transport of Connect's library.
import { type ClientHttp2Session, type ClientHttp2Stream, constants, type OutgoingHttpHeaders } from "node:http2";
import type { ConnectError, Transport } from "@connectrpc/connect";
import type { CallError } from "@roundtrip/contract";
import { serverUnavailable, streamReset } from "@roundtrip/styles/client";
import type { Http2Connection, Http2Connections } from "../http2/http2-connections.ts";
import type { CallSlot, CallSlots } from "./client-call.ts";

// An HTTP/2 connection for a transport of Connect's library, in place of the library's own session manager: with the settings, windows and TLS
// sessions of every client here, and with the stream of each call, by which a lost connection is distinguished from a call that its server reset.

/** Tries on connections that their server closes as soon as they are open. */
const mostAttempts = 4;

/** The stream of one call; undefined until its connection is open. */
interface SlotCall {
  session: ClientHttp2Session | undefined;
  stream: ClientHttp2Stream | undefined;
  /** Why there is no connection. */
  fault: Error | undefined;
}

/** A session manager in the library's terms (`NodeHttp2ClientSessionManager`). */
export class Http2Slot {
  /** Origin that the library compares with the one of a call. */
  readonly authority: string;
  /** The call that the library is about to make: it asks for a stream in the same turn. */
  beginning: SlotCall | undefined;
  readonly #connection: Http2Connection;

  constructor(connection: Http2Connection, { origin }: URL) {
    this.#connection = connection;
    this.authority = origin;
  }

  async request(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    options: Readonly<Record<string, unknown>>,
  ): Promise<ClientHttp2Stream> {
    const call = this.beginning;
    this.beginning = undefined;
    try {
      const session = await this.#session();
      const stream = session.request({ ...headers, ":method": method, ":path": path }, options);
      if (call !== undefined) Object.assign(call, { session, stream });
      return stream;
    } catch (thrown) {
      if (call !== undefined) call.fault = thrown as Error;
      throw thrown;
    }
  }

  /** For the library's keep-alive, which is not used: the connection sends pings itself. */
  // oxlint-disable-next-line class-methods-use-this -- required by the interface
  notifyResponseByteRead(): void {}

  async #session(): Promise<ClientHttp2Session> {
    for (let attempt = 1; ; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const session = await this.#connection.session();
      if (!session.closed && !session.destroyed) return session;
      if (attempt === mostAttempts) throw new Error("the connection was closed");
    }
  }
}

interface OnConnection {
  readonly slot: Http2Slot;
  readonly transport: Transport;
}

class Http2CallSlot implements CallSlot {
  readonly transport: Transport;
  readonly #connections: Http2Connections;
  readonly #connection: Http2Connection;
  readonly #call: SlotCall;

  constructor(connections: Http2Connections, connection: Http2Connection, { slot, transport }: OnConnection) {
    this.#connections = connections;
    this.#connection = connection;
    this.#call = { session: undefined, stream: undefined, fault: undefined };
    slot.beginning = this.#call;
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
export function http2Slots(connections: Http2Connections, transportOn: (slot: Http2Slot) => Transport): CallSlots {
  const known = new WeakMap<Http2Connection, OnConnection>();
  return {
    begin() {
      const connection = connections.begin();
      let found = known.get(connection);
      if (found === undefined) {
        const slot = new Http2Slot(connection, connections.url);
        found = { slot, transport: transportOn(slot) };
        known.set(connection, found);
      }
      return new Http2CallSlot(connections, connection, found);
    },
  };
}
