// The address of the client on a connection, for logs.

interface Connection {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  /** Of a session of HTTP/2, until it is closed. */
  readonly socket?: Connection | undefined;
}

/**
 * `127.0.0.1:54321` or `[::1]:54321`; empty without a socket, or if it is closed.
 * @param connection a socket, or a session of HTTP/2
 */
export function clientAddress(connection: object | undefined): string {
  const { socket = connection } = (connection ?? {}) as Connection;
  const { remoteAddress, remotePort } = (socket ?? {}) as Connection;
  if (remoteAddress === undefined) return "";
  return `${remoteAddress.includes(":") ? `[${remoteAddress}]` : remoteAddress}:${remotePort ?? ""}`;
}
