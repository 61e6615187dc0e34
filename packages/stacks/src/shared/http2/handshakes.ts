// TLS handshakes that are under way: until one is over there is no HTTP/2 connection whose time could be limited.
import type { Http2Server } from "node:http2";
import type { Socket } from "node:net";

/** A TCP connection by its ends: the same for a socket and for the TLS socket on top of it. */
function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

export class Handshakes {
  readonly #begun = new Map<string, { readonly socket: Socket; readonly atMs: number }>();

  /** @param server of HTTP/2 over TLS; one over bare TCP has nothing to wait for */
  constructor(server: Http2Server) {
    server.on("connection", (socket: Socket) => {
      const ends = endsOf(socket);
      this.#begun.set(ends, { socket, atMs: performance.now() });
      socket.once("close", () => this.#begun.delete(ends));
    });
    server.on("secureConnection", (socket: Socket) => this.#begun.delete(endsOf(socket)));
  }

  /** Hangs up on those that have taken longer than `maxMs` by now. To be called now and then. */
  look(nowMs: number, maxMs: number): void {
    for (const { socket, atMs } of this.#begun.values()) {
      if (nowMs - atMs < maxMs) return;
      socket.destroy();
    }
  }
}
