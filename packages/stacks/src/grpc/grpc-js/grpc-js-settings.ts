// The settings of grpc-js connections and channels.
import { newConnectionPerCall } from "../../shared/connection-settings.ts";
import { http2ServerSettings, http2Settings } from "../../shared/http2/http2-settings.ts";
import { settingsWith, type SettingsOf } from "../../shared/settings.ts";
import type { PlainSetting, Settings } from "../../basics/stack.ts";

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
