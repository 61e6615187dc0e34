// The servers and clients of gRPC: what each needs and cannot do. Importing this loads none of them.
import type { ClientBinding, PlainSetting, ServerBinding, Settings } from "../basics/stack.ts";
import { connectNodeDeviations, newConnectionPerCall, type SettingsOf, settingsWith } from "../shared/settings.ts";
import { http2ClientSettings, http2ServerSettings, http2Settings } from "../shared/http2/http2-settings.ts";

/** The clients on node:http2 and on Connect's library. */
export const clientSettings = [
  ...http2ClientSettings,
  {
    name: "requestCompression",
    meaning: "compression of requests",
    default: "identity",
    values: ["identity", "deflate", "gzip"],
  },
] as const satisfies readonly PlainSetting[];

export const grpcJsClientSettings = [
  newConnectionPerCall,
  ...http2Settings,
  {
    name: "requestCompression",
    meaning: "compression of requests; grpc-js cannot compress answers",
    default: "identity",
    values: ["identity", "deflate", "gzip"],
  },
  {
    name: "localSubchannelPool",
    meaning:
      "opens one connection for each channel; otherwise the channels of a process share one connection to a server",
    default: true,
    values: [true, false],
  },
] as const satisfies readonly PlainSetting[];

export type GrpcJsClientSettings = SettingsOf<typeof grpcJsClientSettings>;

/** The servers on node:http2 and on Connect's library. */
export const compressingServerSettings = [
  ...http2ServerSettings,
  {
    name: "responseCompression",
    meaning: "compression of answers of 1 KiB or more to clients that accept it",
    default: "identity",
    values: ["identity", "deflate", "gzip"],
  },
] as const satisfies readonly PlainSetting[];

/** Fills in the server's defaults. Throws a StackError `unusable-setting` for unknown settings. */
export function grpcJsServerSettingsWith(given: Settings): SettingsOf<typeof http2ServerSettings> {
  return settingsWith(http2ServerSettings, given);
}

/** Fills in the client's defaults, with the same error. */
export function grpcJsClientSettingsWith(given: Settings): GrpcJsClientSettings {
  return settingsWith(grpcJsClientSettings, given);
}

/** The channel options for keep-alive, the same on both ends. */
export function keepAliveOptions({ keepAliveMs, keepAliveTimeoutMs }: SettingsOf<typeof http2Settings>) {
  if (keepAliveMs === 0) return {};
  return { "grpc.keepalive_time_ms": keepAliveMs, "grpc.keepalive_timeout_ms": keepAliveTimeoutMs };
}

export const servers: Readonly<Record<string, ServerBinding>> = {
  "grpc-js": {
    libraries: ["@grpc/grpc-js"],
    limitations: [],
    deviations: [
      {
        caseId: "RT-1214",
        reason: "@grpc/grpc-js answers a malformed grpc-timeout itself, as INTERNAL, before a service can",
      },
    ],
    settings: http2ServerSettings,
  },
  "connect-node": {
    libraries: ["@connectrpc/connect", "@connectrpc/connect-node"],
    limitations: [],
    deviations: connectNodeDeviations,
    settings: compressingServerSettings,
  },
  // Without a library.
  "node-http2": { libraries: [], limitations: [], deviations: [], settings: compressingServerSettings },
};

const withoutLibrary: ClientBinding = {
  libraries: [],
  limitations: [],
  deviations: [],
  settings: clientSettings,
  connectRoundTrips: 0,
  callsAtOnce: "side-by-side",
};

export const clients: Readonly<Record<string, ClientBinding>> = {
  "grpc-js": {
    libraries: ["@grpc/grpc-js"],
    limitations: [
      {
        feature: "tlsResumption",
        reason: "grpc-js keeps no TLS session: each connection has a full handshake",
      },
    ],
    deviations: [],
    settings: grpcJsClientSettings,
    // grpc-js waits for the server's SETTINGS; HTTP/2 does not require that.
    connectRoundTrips: 1,
    callsAtOnce: "side-by-side",
  },
  "connect-node": { ...withoutLibrary, libraries: ["@connectrpc/connect", "@connectrpc/connect-node"] },
  "node-http2": withoutLibrary,
};
