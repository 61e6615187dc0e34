// TLS sessions of one server, so that a new connection resumes the one before it.
import type { TLSSocket } from "node:tls";

export class TlsSessions {
  #last: Buffer | undefined;

  /** What a new connection resumes; undefined for a full handshake. */
  get last(): Buffer | undefined {
    return this.#last;
  }

  /** Remembers the session that the server sends for later, which TLS 1.3 does after the handshake. */
  listen(socket: TLSSocket): void {
    socket.on("session", (session: Buffer) => (this.#last = session));
  }
}
