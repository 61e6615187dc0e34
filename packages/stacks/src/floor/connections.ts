// The connections of one client: calls take turns on them, and each is opened with its first call.
import { clientClosed } from "@roundtrip/contract";
import type { ConnectOptions } from "../stack.ts";
import { ClientConnection } from "./client-connection.ts";

export class Connections {
  readonly #options: ConnectOptions;
  // One that broke leaves its place to the next.
  readonly #open = new Map<number, ClientConnection>();
  #turn = 0;
  #isClosed = false;

  constructor(options: ConnectOptions) {
    this.#options = options;
  }

  /** The connection for the next call. Throws CANCELLED once the client is closed. */
  next(): ClientConnection {
    if (this.#isClosed) throw clientClosed();
    const turn = this.#turn;
    this.#turn = turn + 1 < this.#options.connections ? turn + 1 : 0;
    return this.#open.get(turn) ?? this.#connect(turn);
  }

  /** Takes no new calls, waits for those in flight, then closes every connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open.values()].map((connection) => connection.close()));
  }

  #connect(turn: number): ClientConnection {
    const connection = new ClientConnection(this.#options, () => {
      if (this.#open.get(turn) === connection) this.#open.delete(turn);
    });
    this.#open.set(turn, connection);
    return connection;
  }
}
