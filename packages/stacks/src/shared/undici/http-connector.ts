// How the HTTP client opens connections. TLS is spoken over a TCP socket of its own: that socket's counters count what was on the
// wire, where a TLS socket's count what was said through it.
import { buildConnector } from "undici";

export interface HttpConnectorOptions {
  /** Certificate authority in PEM; undefined trusts the system's. */
  readonly ca: string | undefined;
  /** Whether a TLS connection resumes the session of one before it. */
  readonly tlsResumption: boolean;
}

/** Opens TCP connections for http origins and TLS connections for https ones, each step within undici's connect timeout of 10 s. */
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
