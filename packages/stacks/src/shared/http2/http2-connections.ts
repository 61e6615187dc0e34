// The HTTP/2 connections of one client: calls use them in turn, or have one each.
import type { ConnectOptions } from "../../basics/stack.ts";
import { CallsInFlight } from "../calls-in-flight.ts";
import type { SettingsOf } from "../settings.ts";
import { TlsSessions } from "../tls/tls-sessions.ts";
import { Http2Connection } from "./http2-connection.ts";
import type { http2ClientSettings } from "./http2-settings.ts";

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
