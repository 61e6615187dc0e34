// The TLS sessions of one server, so that new connections can resume them.
import type { TLSSocket } from "node:tls";

export class TlsSessions {
  #last: Buffer | undefined;

  /** The session to resume; undefined for a full handshake. */
  get last(): Buffer | undefined {
    return this.#last;
  }

  /** Keeps the session tickets of the server, which TLS 1.3 sends after the handshake. */
  listen(socket: TLSSocket): void {
    socket.on("session", (session: Buffer) => (this.#last = session));
  }
}
