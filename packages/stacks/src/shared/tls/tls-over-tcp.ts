// A TLS connection over a TCP socket of its own: that socket's counters count what was on the wire, where a TLS socket's count what
// was said through it.
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { TlsSessions } from "./tls-sessions.ts";

export interface TlsTarget {
  /** Without brackets, also for IPv6. */
  readonly host: string;
  readonly port: number;
  /** Certificate authority in PEM; undefined trusts the system's. */
  readonly ca: string | undefined;
  /** Sessions of connections before this one, which it resumes; undefined has a full handshake each time. */
  readonly sessions: TlsSessions | undefined;
}

function connectedTcp(host: string, port: number): Promise<Socket> {
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
 * Resolves once TCP stands and TLS has begun; whatever goes wrong from then on, below TLS or in it, is an "error" of the socket.
 * Rejects when there is no TCP connection. TLS has to wait for it: a name may have several addresses, and Node crashes when the
 * socket below TLS goes on to the next one.
 */
export async function tlsOverTcp({ host, port, ca, sessions }: TlsTarget): Promise<TLSSocket> {
  const tcp = await connectedTcp(host, port);
  // An address is no server name (RFC 6066, section 3).
  const serverName = isIP(host) === 0 ? { servername: host } : {};
  const session = sessions?.last;
  const socket = connectTls({
    socket: tcp,
    host,
    ...serverName,
    ...(session === undefined ? {} : { session }),
    ...(ca === undefined ? {} : { ca }),
  });
  sessions?.listen(socket);
  return socket;
}
