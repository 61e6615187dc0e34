// What a stack is: a folder that describes itself (index), serves a service (server) and calls one (client).
import type { Client, Contract, Operation, Service, Setting as PlainSetting, Settings } from "@roundtrip/contract";

export type { Settings, SettingValue } from "@roundtrip/contract";

/** Something that a style or its implementation here cannot carry, and why. */
export interface Limitation {
  readonly feature: "together" | "metadata" | "serverStream" | "clientStream" | "bidiStream" | "tlsResumption";
  readonly reason: string;
}

/** One operation as a user of the style would write it down, and what of it is lost. */
export interface OperationView {
  /** For example `GET /v1/customers/{id}?readMask=`, or `query { customer(id: Int!): Customer }`. */
  readonly signature: string;
  /** Why the style cannot carry the operation, or parts of it; empty when nothing is lost. */
  readonly lost: readonly string[];
}

/** A document that the style's users expect beside the contract, generated from it. */
export interface StyleDocument {
  /** The same for every contract. */
  readonly fileName: string;
  readonly text: string;
}

/** Something of a style or a library that can be set, beyond what every stack has. Studies may hold it as a factor. */
export interface Setting extends PlainSetting {
  /** Who has to be told: a `both` gets the same value on either end. */
  readonly end: "server" | "client" | "both";
}

/** What `index.ts` of a stack exports as `stack`. Importing it loads neither the server's nor the client's library. */
export interface Stack {
  /** The folder's name. */
  readonly name: string;
  /** How a contract is spelled on the wire: `rest`, `graphql`, `grpc`; `floor` for what spells nothing. */
  readonly style: string;
  /** The library that serves, unique within its style: `express`. */
  readonly server: string;
  /** The library that calls, unique within its style: `undici`. */
  readonly client: string;
  /** The name in tables and plots, for example `gRPC`; no two stacks have the same. */
  readonly title: string;
  /** `style` stacks are compared; a `floor` is what they are held against. */
  readonly role: "style" | "floor";
  /** What the bytes on the wire are: generic HTTP tools can only drive `http/1.1`. */
  readonly wire: "http/1.1" | "http/2" | "tcp";
  /** Round trips that a client waits for on a new connection before it sends its first call, beyond those of TCP and TLS. */
  readonly connectRoundTrips: number;
  /** The npm packages that do the work: their versions are recorded with every run. */
  readonly libraries: readonly string[];
  readonly limitations: readonly Limitation[];
  readonly settings: readonly Setting[];
  view(operation: Operation, contract: Contract): OperationView;
  documents(contract: Contract): Promise<readonly StyleDocument[]>;
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

/** What `server.ts` of a stack exports as `serve`. Rejects with a StackError when it cannot listen. */
export type Serve = (service: Service, options: ServeOptions) => Promise<ServedService>;

/** What `client.ts` of a stack exports as `connect`. Connects lazily or at once, as the library does; UNAVAILABLE shows in the call. */
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
