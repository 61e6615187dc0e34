// Opens the connections of the HTTP client. TLS uses a separate TCP socket, whose counters count bytes on the wire.
import { buildConnector } from "undici";

export interface HttpConnectorOptions {
  /** Certificate authority in PEM; undefined uses the system's. */
  readonly ca: string | undefined;
  readonly tlsResumption: boolean;
}

/** Opens TCP connections for http and TLS connections for https, each step within undici's connect timeout of 10 s. */
export function httpConnector({ ca, tlsResumption }: HttpConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    ...(tlsResumption ? {} : { maxCachedSessions: 0 }),
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    if (options.protocol !== "https:") {
      connect(options, callback);
      return;
    }
    const { hostname } = options;
    const port = options.port === "" ? "443" : options.port;
    connect({ hostname, port, protocol: "http:" }, (...[error, tcp]) => {
      if (error !== null) callback(error, null);
      else connect({ ...options, port, httpSocket: tcp }, callback);
    });
  };
}
