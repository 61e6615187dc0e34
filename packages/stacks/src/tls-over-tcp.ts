// A TLS connection over a TCP socket of its own: that socket's counters tell what was on the wire, where a TLS socket's tell what
// was said through it.
import { connect as connectTcp, isIP } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";

export interface TlsTarget {
  /** Without brackets, also for IPv6. */
  readonly host: string;
  readonly port: number;
  /** Certificate authority in PEM; undefined trusts the system's. */
  readonly ca: string | undefined;
}

/** Begins to connect. Whatever goes wrong, below TLS or in it, is an "error" of the socket that is returned: TLS passes errors on. */
export function tlsOverTcp({ host, port, ca }: TlsTarget): TLSSocket {
  const tcp = connectTcp({ host, port, noDelay: true });
  // An address is no server name (RFC 6066, section 3).
  const serverName = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ socket: tcp, host, ...serverName, ...(ca === undefined ? {} : { ca }) });
}
