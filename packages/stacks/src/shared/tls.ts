// TLS of servers: their newest version. TLS of clients: connections over TCP, and the sessions that they resume.
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { ServeOptions } from "../basics/stack.ts";
import type { httpServerSettings, SettingsOf } from "./settings.ts";

/** Credentials for servers that speak no newer TLS; undefined without TLS. */
export function tlsUpTo(
  { tls }: Pick<ServeOptions, "tls">,
  { tlsVersion }: Pick<SettingsOf<typeof httpServerSettings>, "tlsVersion">,
): ServeOptions["tls"] {
  return tls && { ...tls, maxVersion: tlsVersion === "1.2" ? "TLSv1.2" : "TLSv1.3" };
}

// The TLS sessions of one server, so that new connections can resume them.

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

// TLS over a separate TCP socket. The counters of that socket count bytes on the wire; those of a TLS socket count decrypted bytes.

export interface TlsTarget {
  /** Without brackets, also for IPv6. */
  readonly host: string;
  readonly port: number;
  /** Certificate authority in PEM; undefined uses the system's. */
  readonly ca: string | undefined;
  /** Earlier sessions to resume; undefined forces a full handshake each time. */
  readonly sessions: TlsSessions | undefined;
  /** Offered by ALPN (RFC 7301), for example `h2`; empty for protocols without a name. */
  readonly protocols: readonly string[];
}

/** Rejects with the error of the last address if a name has several. */
export function connectedTcp({ host, port }: Pick<TlsTarget, "host" | "port">): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const tcp = connectTcp({ host, port, noDelay: true });
    tcp.once("error", reject);
    tcp.once("connect", () => {
      tcp.off("error", reject);
      resolve(tcp);
    });
  });
}

/**
 * Resolves when TCP is connected and TLS has begun. Later errors, of TCP or TLS, are "error" events of the socket. Rejects without a TCP connection.
 * TLS starts after TCP: a name may have several addresses, and Node.js crashes when the socket below TLS tries the next one.
 */
export async function tlsOverTcp({ host, port, ca, sessions, protocols }: TlsTarget): Promise<TLSSocket> {
  const tcp = await connectedTcp({ host, port });
  // A server name must not be an IP address (RFC 6066, section 3).
  const serverName = isIP(host) === 0 ? { servername: host } : {};
  const session = sessions?.last;
  const socket = connectTls({
    socket: tcp,
    host,
    ...serverName,
    ...(session === undefined ? {} : { session }),
    ...(ca === undefined ? {} : { ca }),
    ...(protocols.length === 0 ? {} : { ALPNProtocols: [...protocols] }),
  });
  sessions?.listen(socket);
  return socket;
}
