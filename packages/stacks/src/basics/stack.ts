// What a stack is: a style with a server library and a client library, each in a folder that describes itself (index) and serves (server) or calls (client).
import type { Client, Contract, Service, PlainSetting, Settings } from "@roundtrip/contract";
import type { Deviation, Limitation, Style } from "@roundtrip/styles";

export type { PlainSetting, Settings, SettingValue } from "@roundtrip/contract";

/** Something of a stack that can be set, beyond what every stack has. Studies may hold it as a factor. */
export interface Setting extends PlainSetting {
  /** The end that gets the value: with `both`, each end gets the same one. */
  readonly end: "server" | "client" | "both";
}

/** What a library says of itself: `index.ts` of a server's folder exports it as `server`. Importing that loads no library. */
export interface ServerBinding {
  /** The npm packages that do the work: their versions are recorded with every run. */
  readonly libraries: readonly string[];
  /** What the style has and the library has not. */
  readonly limitations: readonly Limitation[];
  /** The conformance cases that fail because of the library. */
  readonly deviations: readonly Deviation[];
  /** What its end takes. What both ends of a stack take gets the same value on either. */
  readonly settings: readonly PlainSetting[];
}

/** What `index.ts` of a client's folder exports as `client`. */
export interface ClientBinding extends ServerBinding {
  /** Round trips that it waits for on a new connection before it sends its first call, beyond those of TCP and TLS. */
  readonly connectRoundTrips: number;
  /** What calls at once do: go side by side on one connection, as in HTTP/2; follow each other on it; or need one each, as in HTTP/1.1. */
  readonly callsAtOnce: "side-by-side" | "in-order" | "one-each";
}

/** A conformance case that a stack fails. */
export interface StackDeviation extends Deviation {
  /** The style, server or client that causes it, for example `GraphQL` or `server grpc-js`. */
  readonly cause: string;
}

/** A style with a library that serves it and one that calls it. */
export interface Stack extends Pick<ClientBinding, "connectRoundTrips" | "callsAtOnce">, Omit<Style, "name"> {
  /** `rest-express`; with the client, unless that is its style's default: `rest-express+fetch`. */
  readonly name: string;
  /** How a contract is spelled on the wire: `rest`, `graphql`, `grpc`; `floor` for what spells nothing. */
  readonly style: string;
  /** The library that serves, unique within its style: `express`. */
  readonly server: string;
  /** The library that calls, unique within its style: `undici`. */
  readonly client: string;
  /** The style's name, and in brackets what is not its default; no two stacks have the same. */
  readonly title: string;
  /** Whether server and client are their style's default. */
  readonly isDefault: boolean;
  /** Whether commands use its style by default. */
  readonly isDefaultStyle: boolean;
  readonly deviations: readonly StackDeviation[];
  readonly settings: readonly Setting[];
}

/** Private key and certificate chain in PEM. */
export interface ServerTls {
  readonly key: string;
  readonly cert: string;
}

export interface ServeOptions {
  /** Interface to listen on; loopback unless the user said otherwise. */
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly tls: ServerTls | undefined;
  /** A larger request fails with RESOURCE_EXHAUSTED. */
  readonly maxMessageBytes: number;
  /** How long `close` waits for calls in flight before it cuts them off. */
  readonly shutdownGraceMs: number;
  /** Of those that the stack declares for its server. Serving throws a StackError for others. */
  readonly settings: Settings;
  /** Connections at once; who comes when they are taken is hung up on. */
  readonly maxConnections: number;
  /** How long a TLS handshake, a sender of headers, and over HTTP/2 the first call of a connection may take. */
  readonly maxHeadersMs: number;
  /** How long a sender of a whole request may take, or of the next one of a stream. DEADLINE_EXCEEDED then. */
  readonly maxRequestMs: number;
  /** How long an answer, or the next one of a stream, may wait while its caller takes nothing. The caller is hung up on then. */
  readonly maxUnreadMs: number;
  /**
   * Origins whose pages may call over HTTP/1.1 and read the answers (CORS): each as `https://host:port`, `loopback` for any page of this
   * machine, `*` for any page.
   */
  readonly allowedOrigins: readonly string[];
}

export interface RunningServer {
  /** Where clients connect: scheme, host and the port that was taken. */
  readonly url: string;
  /** Takes no new calls, finishes those in flight within the grace time, then closes. */
  close(): Promise<void>;
}

/** A server whose service can change while it runs, its contract with it. */
export interface ServedService extends RunningServer {
  /**
   * Answers by another service from now on, on the same port and the same connections; calls in flight end with the service that they
   * began with. Rejects, and changes nothing, for what cannot be served.
   */
  replace(service: Service): Promise<void>;
}

export interface ConnectOptions {
  readonly url: string;
  /** Certificate authority in PEM for https targets; undefined trusts the system's. */
  readonly ca: string | undefined;
  /** TCP connections to spread calls over; HTTP/2 multiplexes on each. */
  readonly connections: number;
  /** A larger response fails with RESOURCE_EXHAUSTED. */
  readonly maxMessageBytes: number;
  /** Of those that the stack declares for its client. Connecting throws a StackError for others. */
  readonly settings: Settings;
}

/** What `server.ts` of a server's folder exports as `serve`. Rejects with a StackError when it cannot listen. */
export type Serve = (service: Service, options: ServeOptions) => Promise<ServedService>;

/** What `client.ts` of a client's folder exports as `connect`. Connects lazily or at once, as the library does; UNAVAILABLE shows in the call. */
export type Connect = (contract: Contract, options: ConnectOptions) => Promise<Client>;

/** The defaults that every command starts from. */
export const serveDefaults = {
  host: "127.0.0.1",
  port: 0,
  tls: undefined,
  maxMessageBytes: 4 * 1024 * 1024,
  shutdownGraceMs: 5_000,
  settings: {},
  maxConnections: 10_000,
  maxHeadersMs: 20_000,
  maxRequestMs: 60_000,
  maxUnreadMs: 60_000,
  allowedOrigins: [],
} as const satisfies ServeOptions;

export const connectDefaults = {
  ca: undefined,
  connections: 1,
  maxMessageBytes: 4 * 1024 * 1024,
  settings: {},
} as const satisfies Omit<ConnectOptions, "url">;
