// An HTTP/2 connection for a transport of Connect's library, in place of the library's own session manager: with the settings, windows and TLS
// sessions of every client here, and with the stream of each call, by which a lost connection is distinguished from a call that its server reset.
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from "node:http2";
import type { Http2Connection } from "../http2/http2-connection.ts";

/** Tries on connections that their server closes as soon as they are open. */
const mostAttempts = 4;

/** The stream of one call; undefined until its connection is open. */
export interface LaneCall {
  session: ClientHttp2Session | undefined;
  stream: ClientHttp2Stream | undefined;
  /** Why there is no connection. */
  fault: Error | undefined;
}

/** A session manager in the library's terms (`NodeHttp2ClientSessionManager`). */
export class Http2Lane {
  /** Origin that the library compares with the one of a call. */
  readonly authority: string;
  /** The call that the library is about to make: it asks for a stream in the same turn. */
  beginning: LaneCall | undefined;
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
