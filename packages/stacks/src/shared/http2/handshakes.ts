// TLS handshakes in progress. There is no HTTP/2 session with a time limit until a handshake is complete.
import type { Http2Server } from "node:http2";
import type { Socket } from "node:net";

/** Identifies a TCP connection by its ends: the same for a socket and the TLS socket on top of it. */
function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

export class Handshakes {
  readonly #begun = new Map<string, { readonly socket: Socket; readonly atMs: number }>();

  /** @param server an HTTP/2 server over TLS; without TLS there are no handshakes. */
  constructor(server: Http2Server) {
    server.on("connection", (socket: Socket) => {
      const ends = endsOf(socket);
      this.#begun.set(ends, { socket, atMs: performance.now() });
      socket.once("close", () => this.#begun.delete(ends));
    });
    server.on("secureConnection", (socket: Socket) => this.#begun.delete(endsOf(socket)));
  }

  /** Closes connections whose handshake has taken longer than `maxMs`. Call this at intervals. */
  enforceLimits(nowMs: number, maxMs: number): void {
    for (const { socket, atMs } of this.#begun.values()) {
      if (nowMs - atMs < maxMs) return;
      socket.destroy();
    }
  }
}
