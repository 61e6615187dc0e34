// The types of a stack: a style with a server and a client library. The file of each exports `serve` or `connect`.
import type { CallError, Client, Contract, ExampleOf, Service, PlainSetting, Settings } from "@roundtrip/contract";
import type { Deviation, Limitation, Style } from "@roundtrip/styles";
import type { HttpService } from "@roundtrip/styles/http/server";
import type { EventEmitter } from "node:events";
import type { Http2Server, OutgoingHttpHeaders } from "node:http2";
import type { IncomingMessage } from "node:http";
import type { Server, Socket } from "node:net";
import type { SecureVersion } from "node:tls";

export type { PlainSetting, Settings, SettingValue } from "@roundtrip/contract";

/** A setting of one stack, beyond those of every stack. Studies may use it as a factor. */
export interface Setting extends PlainSetting {
  /** The end that gets the value; with `both`, each end gets the same value. */
  readonly end: "server" | "client" | "both";
}

/** The description of a library, in `libraries.ts` of its style. Importing that loads no library. */
export interface ServerBinding {
  /** The npm packages that do the work. Every run records their versions. */
  readonly libraries: readonly string[];
  readonly limitations: readonly Limitation[];
  /** The conformance cases that fail because of the library. */
  readonly deviations: readonly Deviation[];
  /** The settings of its end. If both ends of a stack declare a setting, they get the same value. */
  readonly settings: readonly PlainSetting[];
}

/** The description of a client library. */
export interface ClientBinding extends ServerBinding {
  /** Round trips on a new connection before the first call is sent, beyond those of TCP and TLS. */
  readonly connectRoundTrips: number;
  /** Concurrent calls share a connection (`side-by-side`: HTTP/2), follow each other on it (`in-order`), or need one each (`one-each`: HTTP/1.1). */
  readonly callsAtOnce: "side-by-side" | "in-order" | "one-each";
}

export interface StackDeviation extends Deviation {
  /** The style, server or client that causes it, for example `GraphQL` or `server grpc-js`. */
  readonly cause: string;
}

export interface Stack
  extends Pick<ClientBinding, "connectRoundTrips" | "callsAtOnce">, Omit<Style, "name" | "serverSettings"> {
  /** `rest-express`; with a client that is not the style's default: `rest-express+fetch`. */
  readonly name: string;
  /** `rest`, `graphql`, `grpc`, or `floor`. */
  readonly style: string;
  /** The server library, unique within its style: `express`. */
  readonly server: string;
  /** The client library, unique within its style: `undici`. */
  readonly client: string;
  /** The style's title, with the libraries that are not its default in brackets. Unique. */
  readonly title: string;
  readonly isDefault: boolean;
  readonly isDefaultStyle: boolean;
  /** Its ends without a library of their own, on the modules of Node.js alone: bounds of what libraries of its style cost. */
  readonly bounds: readonly ("server" | "client")[];
  readonly deviations: readonly StackDeviation[];
  readonly settings: readonly Setting[];
}

/** Private key and certificate chain in PEM. */
export interface ServerTls {
  /** The newest version; absent for that of Node.js. */
  readonly maxVersion?: SecureVersion;
  readonly key: string;
  readonly cert: string;
}

export interface RequestWatch {
  /** The same service, whose error answers that came from no call are reported. */
  overHttp(service: HttpService): HttpService;
  /** Called with each server of Node.js before it accepts requests. Adds listeners, for requests that are read by a library. */
  listen(server: EventEmitter): void;
  /** The same service, which marks the requests that reach it. */
  marking(service: Service): Service;
}

export interface ServeOptions {
  /** Interface to listen on; loopback by default. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly tls: ServerTls | undefined;
  /** A larger request fails with RESOURCE_EXHAUSTED. */
  readonly maxMessageBytes: number;
  /** How long `close` waits for calls in flight, in milliseconds. It ends them with UNAVAILABLE shortly before, and then cuts them off. */
  readonly shutdownGraceMs: number;
  /** Settings that the stack declares for its server. Serving throws a StackError for others. */
  readonly settings: Settings;
  /** Maximum number of open connections. The server closes further ones. */
  readonly maxConnections: number;
  /** Maximum time, in milliseconds, for a TLS handshake, for request headers, and over HTTP/2 for the first call of a connection. */
  readonly maxHeadersMs: number;
  /** Maximum time, in milliseconds, to receive a request, or the next message of a stream. Then the call fails with DEADLINE_EXCEEDED. */
  readonly maxRequestMs: number;
  /** How long an answer, or the next one of a stream, may remain unread, in milliseconds. Then the server closes the connection. */
  readonly maxUnreadMs: number;
  /** Origins whose pages may call (CORS over HTTP/1.1): `https://host:port`, `loopback` for pages of this machine, or `*` for any page. */
  readonly allowedOrigins: readonly string[];
  /** Names under which callers reach a server on loopback, beside those of this machine: behind a proxy, for example. `*` for any. */
  readonly allowedHosts: readonly string[];
  /** Watches the requests, at a cost for each; undefined for servers that are measured. See `watchRefusals`. */
  readonly watch: RequestWatch | undefined;
  /** The port to share with other servers, instead of `port`. Servers that cannot share take no notice. */
  readonly sharedPort: SharedPort | undefined;
  /** Makes the requests that pages show as examples. Called when a page is opened. By default, there are none. */
  readonly examplesOf: (contract: Contract) => Promise<ExampleOf>;
}

export interface RunningServer {
  /** The address for clients: scheme, host and actual port. */
  readonly url: string;
  /** Refuses new calls, waits for those in flight within the grace time, then closes. */
  close(): Promise<void>;
}

/** What a server over HTTP/2 does to requests that it gives up. */
export interface RequestFaults {
  /** The paths whose requests are streams, which may take any time. */
  readonly requestStreams: Pick<ReadonlySet<string>, "has">;
  /** The response headers for a request that has not arrived in time. */
  readonly lateRequest: OutgoingHttpHeaders;
  /** The answer to a request for which there is no memory. */
  readonly exhaustedRequest: (error: CallError) => OutgoingHttpHeaders;
}

/** The part that one server has of a port with several. */
export interface SharedPort extends RunningServer, Pick<Server, "address"> {
  /** Where all servers of the port have their pages and documents. */
  readonly documentPaths: () => readonly string[];
  /** Emits `request`, as `http.Server` does, for its requests. */
  readonly http1: EventEmitter;
  /** Takes its requests for WebSockets; returns false to have one answered like any other. */
  takeUpgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => boolean;
  /** Passes it streams of HTTP/2, as events of a server that does not listen. */
  takeHttp2(server: Http2Server, faults: RequestFaults): void;
}

/** A server whose service and contract can change while it runs. */
export interface ServedService extends RunningServer {
  /** Replaces the service for new calls, on the same port and connections. Rejects, and changes nothing, if it cannot be served. */
  replace(service: Service): Promise<void>;
}

export interface ConnectOptions {
  readonly url: string;
  /** Certificate authority in PEM for https targets; undefined uses the system's. */
  readonly ca: string | undefined;
  /** Number of TCP connections that share the calls; HTTP/2 multiplexes on each. */
  readonly connections: number;
  /** A larger response fails with RESOURCE_EXHAUSTED. */
  readonly maxMessageBytes: number;
  /** Settings that the stack declares for its client. Connecting throws a StackError for others. */
  readonly settings: Settings;
}

/** The export `serve` of `servers/LIBRARY.ts`. Rejects with a StackError when it cannot listen. */
export type Serve = (service: Service, options: ServeOptions) => Promise<ServedService>;

/** The export `connect` of `clients/LIBRARY.ts`. Connects lazily or at once, depending on the library; the call reports UNAVAILABLE. */
export type Connect = (contract: Contract, options: ConnectOptions) => Promise<Client>;

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
  allowedHosts: [],
  watch: undefined,
  sharedPort: undefined,
  examplesOf: async () => () => undefined,
} as const satisfies ServeOptions;

export const connectDefaults = {
  ca: undefined,
  connections: 1,
  maxMessageBytes: 4 * 1024 * 1024,
  settings: {},
} as const satisfies Omit<ConnectOptions, "url">;
