// Counts what a client process sends and receives below every protocol: bytes on its TCP sockets and opened connections.
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

/** Totals over all client sockets of this process since the meter was made. */
export class WireMeter {
  #connections = 0;
  readonly #open = new Set<Socket>();
  #closedWritten = 0;
  #closedRead = 0;
  #closedByServer = 0;
  #writtenBefore: ReadonlyMap<Socket, number> = new Map();

  /** Create it before the stack's client is loaded, so that it sees every connection. */
  constructor() {
    subscribe("net.client.socket", (message) => {
      const { socket } = message as { readonly socket: Socket };
      this.#connections += 1;
      this.#open.add(socket);
      socket.once("end", () => {
        this.#closedByServer += 1;
      });
      socket.once("close", () => {
        this.#open.delete(socket);
        this.#closedWritten += socket.bytesWritten;
        this.#closedRead += socket.bytesRead;
      });
    });
  }

  /** Starts counting {@link connectionsReused}. */
  begin(): void {
    this.#writtenBefore = new Map([...this.#open].map((socket) => [socket, socket.bytesWritten]));
  }

  /** Connections that were open at the start and have been written to since. */
  get connectionsReused(): number {
    return [...this.#writtenBefore].filter(([socket, before]) => socket.bytesWritten > before).length;
  }

  get connectionsOpened(): number {
    return this.#connections;
  }

  get connectionsClosedByServer(): number {
    return this.#closedByServer;
  }

  get bytesWritten(): number {
    let total = this.#closedWritten;
    for (const socket of this.#open) total += socket.bytesWritten;
    return total;
  }

  get bytesRead(): number {
    let total = this.#closedRead;
    for (const socket of this.#open) total += socket.bytesRead;
    return total;
  }
}
