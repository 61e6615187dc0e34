// One HTTP/2 connection of a client. It opens with its first call, and again when its server has closed it.
import { once } from "node:events";
import { connect, type ClientHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { ConnectOptions } from "../../basics/stack.ts";
import { hostAndPortOf } from "../host-and-port.ts";
import { sendPings } from "./pings.ts";
import type { SettingsOf } from "../settings.ts";
import { connectedTcp, tlsOverTcp, type TlsTarget } from "../tls/tls-over-tcp.ts";
import type { http2ClientSettings } from "./http2-settings.ts";

export interface Http2ConnectionOptions extends Pick<ConnectOptions, "ca">, Pick<TlsTarget, "sessions"> {
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
