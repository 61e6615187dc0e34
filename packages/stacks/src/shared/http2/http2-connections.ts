// The HTTP/2 connections of one client: calls use them in turn, or have one each.
import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import type { Socket } from "node:net";
import type { ConnectOptions } from "../../basics/stack.ts";
import { CallsInFlight } from "../calls.ts";
import type { SettingsOf } from "../settings.ts";
import { connectedTcp, tlsOverTcp, TlsSessions, type TlsTarget } from "../tls.ts";
import { type http2ClientSettings, sendPings } from "./http2-settings.ts";
import { hostAndPortOf } from "../listening.ts";

// One HTTP/2 connection of a client. It opens with its first call, and again when its server has closed it.

interface Http2ConnectionOptions extends Pick<ConnectOptions, "ca">, Pick<TlsTarget, "sessions"> {
  readonly url: URL;
  readonly set: SettingsOf<typeof http2ClientSettings>;
}

/** A connected socket, for https with a completed handshake. */
async function socketFor({ url, ca, sessions }: Http2ConnectionOptions): Promise<Socket> {
  const target = hostAndPortOf(url);
  if (url.protocol !== "https:") return connectedTcp(target);
  const socket = await tlsOverTcp({ ...target, ca, sessions, protocols: ["h2"] });
  await once(socket, "secureConnect");
  if (socket.alpnProtocol === "h2") return socket;
  socket.destroy();
  throw new Error("the server does not speak HTTP/2");
}

export class Http2Connection {
  readonly #options: Http2ConnectionOptions;
  #session: ClientHttp2Session | undefined;
  #opening: Promise<ClientHttp2Session> | undefined;
  #calls = 0;
  #isClosed = false;

  constructor(options: Http2ConnectionOptions) {
    this.#options = options;
  }

  /** A call begins. Call {@link end} afterwards. */
  begin(): void {
    this.#calls += 1;
    // An open connection without calls keeps no process alive.
    if (this.#calls === 1) this.#session?.ref();
  }

  /** For the next call; a promise while the connection opens, which rejects if it cannot. */
  session(): ClientHttp2Session | Promise<ClientHttp2Session> {
    const session = this.#session;
    // Closed means that the server wants no further calls here.
    return session === undefined || session.closed || session.destroyed ? (this.#opening ??= this.#open()) : session;
  }

  end(): void {
    this.#calls -= 1;
    if (this.#calls === 0) this.#session?.unref();
  }

  /** Closes when the calls on it are over. */
  close(): void {
    this.#isClosed = true;
    this.#session?.close();
  }

  async #open(): Promise<ClientHttp2Session> {
    try {
      const { url, set } = this.#options;
      const socket = await socketFor(this.#options);
      const session = connect(url, {
        createConnection: () => socket,
        maxSessionMemory: Number.MAX_SAFE_INTEGER,
        settings: { enablePush: false, initialWindowSize: set.flowControlWindowBytes },
      });
      // Calls report it.
      session.on("error", () => undefined);
      await once(session, "connect");
      session.setLocalWindowSize(set.flowControlWindowBytes);
      sendPings(session, set, () => this.#calls > 0);
      this.#session = session;
      if (this.#calls === 0) session.unref();
      if (this.#isClosed) session.close();
      return session;
    } finally {
      this.#opening = undefined;
    }
  }
}

export class Http2Connections {
  readonly url: URL;
  readonly #open: () => Http2Connection;
  /** Empty when each call has its own. */
  readonly #connections: readonly Http2Connection[];
  readonly #calls = new CallsInFlight();
  #turn = 0;

  constructor(
    { url, ca, connections }: Pick<ConnectOptions, "url" | "ca" | "connections">,
    set: SettingsOf<typeof http2ClientSettings>,
  ) {
    const sessions = set.tlsResumption ? new TlsSessions() : undefined;
    this.url = new URL(url);
    this.#open = () => new Http2Connection({ url: this.url, ca, sessions, set });
    this.#connections = Array.from({ length: set.newConnectionPerCall ? 0 : connections }, this.#open);
  }

  /** The connection for the next call. Call {@link end} afterwards. Throws CANCELLED once the client is closed. */
  begin(): Http2Connection {
    this.#calls.begin();
    this.#turn = this.#turn + 1 < this.#connections.length ? this.#turn + 1 : 0;
    const connection = this.#connections[this.#turn] ?? this.#open();
    connection.begin();
    return connection;
  }

  end(connection: Http2Connection): void {
    connection.end();
    if (this.#connections.length === 0) connection.close();
    this.#calls.end();
  }

  /** Refuses new calls, waits for those in flight, then closes every connection. May be called twice. */
  close(): Promise<void> {
    return this.#calls.close(() => {
      for (const connection of this.#connections) connection.close();
    });
  }
}
