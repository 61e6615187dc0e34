// Counts what a client process puts on the wire, below every protocol: bytes on its TCP sockets and connections opened.
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

/** Totals over all sockets that this process opened as a client since the meter was made. */
export class WireMeter {
  #connections = 0;
  readonly #open = new Set<Socket>();
  #closedWritten = 0;
  #closedRead = 0;
  #closedByServer = 0;
  #writtenBefore: ReadonlyMap<Socket, number> = new Map();

  /** Make it before the stack's client is loaded, so that no connection escapes it. */
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

  /** Looks at what is open: {@link connectionsReused} counts from here. */
  begin(): void {
    this.#writtenBefore = new Map([...this.#open].map((socket) => [socket, socket.bytesWritten]));
  }

  /** Connections that were open at the beginning and have been written to since. */
  get connectionsReused(): number {
    return [...this.#writtenBefore].filter(([socket, before]) => socket.bytesWritten > before).length;
  }

  get connectionsOpened(): number {
    return this.#connections;
  }

  /** Connections whose other end had no more to send: those that it closed first. */
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
