// The connections of one client: calls use them in turn. Each opens with its first call.
import { clientClosed } from "@roundtrip/contract";
import type { ConnectOptions } from "../../../basics/stack.ts";
import { clientConnectionSettings } from "../../../shared/connection-settings.ts";
import { settingsWith } from "../../../shared/settings.ts";
import { TlsSessions } from "../../../shared/tls/tls-sessions.ts";
import { ClientConnection, type ClientConnectionOptions } from "./client-connection.ts";

export class Connections {
  readonly #options: ClientConnectionOptions;
  readonly #places: number;
  readonly #newPerCall: boolean;
  // By turn. When a connection accepts no more calls, another takes its slot.
  readonly #taking = new Map<number, ClientConnection>();
  readonly #open = new Set<ClientConnection>();
  #turn = 0;
  #isClosed = false;

  constructor(options: ConnectOptions) {
    const { newConnectionPerCall, tlsResumption } = settingsWith(clientConnectionSettings, options.settings);
    this.#options = { ...options, sessions: tlsResumption ? new TlsSessions() : undefined };
    this.#places = options.connections;
    this.#newPerCall = newConnectionPerCall;
  }

  /** The connection for the next call. Throws CANCELLED once the client is closed. */
  next(): ClientConnection {
    if (this.#isClosed) throw clientClosed();
    const turn = this.#turn;
    this.#turn = turn + 1 < this.#places ? turn + 1 : 0;
    return this.#taking.get(turn) ?? this.#connect(turn);
  }

  /** Refuses new calls, waits for those in flight, then closes every connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open].map((connection) => connection.close()));
  }

  #connect(turn: number): ClientConnection {
    const connection = new ClientConnection(this.#options, () => {
      if (this.#taking.get(turn) === connection) this.#taking.delete(turn);
    });
    this.#taking.set(turn, connection);
    this.#open.add(connection);
    void connection.closed.then(() => this.#open.delete(connection));
    // The connection is for this call only.
    if (this.#newPerCall) connection.retire();
    return connection;
  }
}
