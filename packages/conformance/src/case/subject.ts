// The subjects of the suite: a stack, started here or running elsewhere, plain or over TLS, or a service without a network.
import type { Client, Contract, Service } from "@roundtrip/contract";
import type { Deviation, Limitation, ProtocolMisuse } from "@roundtrip/styles";

/** Settings of a server that is started for one case, and of the client that calls it. */
export interface ServedSettings {
  /** A larger request fails with RESOURCE_EXHAUSTED. */
  readonly maxRequestBytes: number;
  /** A larger response fails with RESOURCE_EXHAUSTED. */
  readonly maxResponseBytes: number;
  /** How long stopping waits for calls in flight before it cuts them off. */
  readonly shutdownGraceMs: number;
  /** The number of connections of each client. Over HTTP/1.1 with one connection, a call waits for another to end. */
  readonly connections: number;
}

/** The settings of cases that change none. */
export const servedDefaults = {
  maxRequestBytes: 4 * 1024 * 1024,
  maxResponseBytes: 4 * 1024 * 1024,
  // Beyond the time limit of a case: a server that waits for a call that is over fails it.
  shutdownGraceMs: 120_000,
  connections: 1,
} as const satisfies ServedSettings;

/** A server that was started for one case. */
export interface Served {
  /** The address of the server, for raw bytes; `ca` is its certificate authority in PEM. */
  readonly address: { readonly url: string; readonly ca: string | undefined };
  /** Bytes that no client of the style sends; undefined if that is not supported. */
  readonly misuses: ProtocolMisuse | undefined;
  /** Creates a client with its own connections. */
  connect(): Promise<Client>;
  /** Creates a client of the same stack for another address. */
  connectTo(url: string): Promise<Client>;
  /** Takes no new calls, finishes those in flight within the grace time, then stops. */
  stop(): Promise<void>;
}

export interface ConformanceSubject {
  /** The stack's name, shown above its results. */
  readonly name: string;
  readonly limitations: readonly Limitation[];
  /** Cases that it fails. If one passes, the suite fails and the entry must be removed. */
  readonly deviations: readonly Deviation[];
  /** Creates a client of the real service, with its own connections. */
  connect(): Promise<Client>;
  /** Whether the subject can send malformed bytes to its servers. */
  readonly offersMisuse: boolean;
  /** Serves a service on this subject's stack; undefined if the subject runs elsewhere. */
  readonly serve: ((service: Service, settings: ServedSettings) => Promise<Served>) | undefined;
  /** Stops what `connect` started. */
  close(): Promise<void>;
}

/** How the suite starts and calls a stack: its `serve` and `connect`, with the options that the suite uses. */
export interface LocalSubjectOptions extends Pick<ConformanceSubject, "name" | "limitations" | "deviations"> {
  /** The real service. */
  readonly service: Service;
  readonly serve: (
    service: Service,
    limits: { readonly maxMessageBytes: number; readonly shutdownGraceMs: number },
  ) => Promise<{ readonly url: string; close(): Promise<void> }>;
  readonly connect: (
    contract: Contract,
    url: string,
    limits: { readonly maxMessageBytes: number; readonly connections: number },
  ) => Promise<Client>;
  /** The export of the stack's `misuse.ts`; undefined if it has none. */
  readonly misuses: ProtocolMisuse | undefined;
  /** Certificate authority of the servers, in PEM. */
  readonly ca: string | undefined;
}

/** A subject whose servers the suite starts: one for the real service, and one for each case that needs its own. */
export function localSubject({
  name,
  limitations,
  deviations,
  service,
  serve,
  connect,
  misuses,
  ca,
}: LocalSubjectOptions): ConformanceSubject {
  async function serveFor(one: Service, settings: ServedSettings): Promise<Served> {
    const { maxRequestBytes, maxResponseBytes, shutdownGraceMs, connections } = settings;
    const server = await serve(one, { maxMessageBytes: maxRequestBytes, shutdownGraceMs });
    const connectTo = (url: string) => connect(one.contract, url, { maxMessageBytes: maxResponseBytes, connections });
    return {
      address: { url: server.url, ca },
      misuses,
      connect: () => connectTo(server.url),
      connectTo,
      stop: () => server.close(),
    };
  }
  let real: Promise<Served> | undefined;
  return {
    name,
    limitations,
    deviations,
    offersMisuse: misuses !== undefined,
    serve: serveFor,
    async connect() {
      real ??= serveFor(service, servedDefaults);
      return (await real).connect();
    },
    async close() {
      await (await real)?.stop();
      real = undefined;
    },
  };
}

/** A subject that runs elsewhere (`--target`). Cases that need their own server are skipped. */
export function targetSubject(
  options: Pick<ConformanceSubject, "name" | "limitations" | "deviations" | "connect">,
): ConformanceSubject {
  return { ...options, offersMisuse: false, serve: undefined, close: () => Promise.resolve() };
}
