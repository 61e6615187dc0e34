// What the suite is run against: any stack, served here or running elsewhere, plain or TLS; or a service without a network.
import type { Client } from "../client.ts";
import type { Contract } from "../contract.ts";
import type { Service } from "../service.ts";
import type { ProtocolMisuse } from "./misuse.ts";

/** Settings of a server that is started for one case, and of the client that calls it. */
export interface ServedSettings {
  /** A larger request fails with RESOURCE_EXHAUSTED. */
  readonly maxRequestBytes: number;
  /** A larger response fails with RESOURCE_EXHAUSTED. */
  readonly maxResponseBytes: number;
  /** How long stopping waits for calls in flight before it cuts them off. */
  readonly shutdownGraceMs: number;
  /** Connections of each client: over HTTP/1.1 a call waits for another where there is one only. */
  readonly connections: number;
}

/** What cases get that ask for nothing special. */
export const servedDefaults = {
  maxRequestBytes: 4 * 1024 * 1024,
  maxResponseBytes: 4 * 1024 * 1024,
  shutdownGraceMs: 5_000,
  connections: 1,
} as const satisfies ServedSettings;

/** A server that was started for one case. */
export interface Served {
  /** Where it listens, for bytes that no client sends; `ca` is its certificate authority in PEM. */
  readonly address: { readonly url: string; readonly ca: string | undefined };
  /** The subject's ways to misuse its protocol; undefined when it has none. */
  readonly misuses: ProtocolMisuse | undefined;
  /** A client with connections of its own. */
  connect(): Promise<Client>;
  /** A client of the same making that calls another address. */
  connectTo(url: string): Promise<Client>;
  /** Takes no new calls, finishes those in flight within the grace time, then stops. */
  stop(): Promise<void>;
}

/** Something that the subject declares it cannot do, and why. */
export interface DeclaredLimitation {
  readonly feature: string;
  readonly reason: string;
}

/** What the suite is run against. */
export interface ConformanceSubject {
  /** The stack's name, for example `grpc-js`: known deviations are found by it. */
  readonly name: string;
  readonly limitations: readonly DeclaredLimitation[];
  /** A client, with connections of its own, of the real service. */
  connect(): Promise<Client>;
  /** Whether its servers can be sent bytes that no client sends. */
  readonly offersMisuse: boolean;
  /** Serves a service the way this subject does; undefined when the subject runs elsewhere. */
  readonly serve: ((service: Service, settings: ServedSettings) => Promise<Served>) | undefined;
  /** Stops what `connect` started. */
  close(): Promise<void>;
}

/** How the suite starts and reaches a stack; what a stack calls `serve` and `connect`, without the options that are none of the suite's. */
export interface LocalSubjectOptions {
  readonly name: string;
  readonly limitations: readonly DeclaredLimitation[];
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
  /** What the stack's room `misuse.ts` exports; undefined when it has no such room. */
  readonly misuses: ProtocolMisuse | undefined;
  /** Certificate authority of the servers, in PEM. */
  readonly ca: string | undefined;
}

/** A subject whose servers the suite starts itself: one for the real service, and one for each case that asks for it. */
export function localSubject({
  name,
  limitations,
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

/** A subject that runs elsewhere (`--target`): cases that need a server of their own are skipped. */
export function targetSubject(options: {
  readonly name: string;
  readonly limitations: readonly DeclaredLimitation[];
  readonly connect: () => Promise<Client>;
}): ConformanceSubject {
  return { ...options, offersMisuse: false, serve: undefined, close: () => Promise.resolve() };
}
