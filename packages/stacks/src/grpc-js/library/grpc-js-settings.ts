// What can be set on the connections and channels of grpc-js.
import { keepAlive, newConnectionPerCall } from "../../connection-settings.ts";
import { maxConnectionIdleMs } from "../../http/http-settings.ts";
import { settingsWith, type SettingsOf } from "../../settings.ts";
import type { Setting, Settings } from "../../stack.ts";
import { http2Settings } from "../http2/http2-settings.ts";

/** By name, with their defaults. */
export const settings = [
  keepAlive,
  newConnectionPerCall,
  maxConnectionIdleMs,
  ...http2Settings,
  {
    name: "requestCompression",
    end: "client",
    meaning: "how requests are compressed; the server answers uncompressed, as grpc-js can do nothing else",
    default: "identity",
    values: ["identity", "deflate", "gzip"],
  },
  {
    name: "localSubchannelPool",
    end: "client",
    meaning: "each channel has a connection of its own; otherwise all channels of a process to one server share one",
    default: true,
    values: [true, false],
  },
] as const satisfies readonly Setting[];

export type GrpcJsSettings = SettingsOf<typeof settings>;

/** What is given, and the defaults of the rest. Throws a StackError `unusable-setting` for what grpc-js does not have. */
export function grpcJsSettings(given: Settings): GrpcJsSettings {
  return settingsWith(settings, given);
}

/** Keep-alive as grpc-js names it, on either end. */
export function keepAliveOptions({ keepAliveMs, keepAliveTimeoutMs }: GrpcJsSettings) {
  if (keepAliveMs === 0) return {};
  return { "grpc.keepalive_time_ms": keepAliveMs, "grpc.keepalive_timeout_ms": keepAliveTimeoutMs };
}
