// What can be set on gRPC's connections and channels.
import { keepAlive, newConnectionPerCall } from "../connection-settings.ts";
import { maxConnectionIdleMs } from "../http/http-settings.ts";
import { settingsWith, type SettingsOf } from "../settings.ts";
import type { Setting, Settings } from "../stack.ts";
import { flowControlWindowBytes } from "./connections/flow-control-window.ts";

// Timers, window sizes and stream counts all have 31 bits.
const most = 2 ** 31 - 1;

/** HTTP/2's own default, and what a connection begins with; it can only grow. */
const http2WindowBytes = 65_535;

/** By name, with their defaults. */
export const settings = [
  keepAlive,
  newConnectionPerCall,
  maxConnectionIdleMs,
  {
    name: "flowControlWindowBytes",
    end: "both",
    meaning: "HTTP/2 window: bytes under way in one direction, on each connection and on each stream",
    default: flowControlWindowBytes,
    values: { least: http2WindowBytes, most },
  },
  {
    name: "keepAliveMs",
    end: "both",
    meaning: "asks the other end for a sign of life (HTTP/2 PING) after so long without one; 0 never asks",
    default: 0,
    values: { least: 0, most },
  },
  {
    name: "keepAliveTimeoutMs",
    end: "both",
    meaning: "how long that sign may take before the connection is given up",
    default: 20_000,
    values: { least: 1, most },
  },
  {
    name: "maxConcurrentStreams",
    end: "server",
    meaning: "calls at once on one connection; a client with more keeps the rest waiting",
    default: 1_000,
    values: { least: 1, most },
  },
  {
    name: "maxUnreadBytes",
    end: "server",
    meaning:
      "answers that wait for their caller on one connection, before it is closed; those of 16 KiB and more count",
    default: 256 * 1024 * 1024,
    values: { least: 1, most },
  },
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

/** What is given, and the defaults of the rest. Throws a StackError `unusable-setting` for what gRPC does not have. */
export function grpcSettings(given: Settings): SettingsOf<typeof settings> {
  return settingsWith(settings, given);
}

/** Keep-alive as grpc-js names it, on either end. */
export function keepAliveOptions({ keepAliveMs, keepAliveTimeoutMs }: SettingsOf<typeof settings>) {
  if (keepAliveMs === 0) return {};
  return { "grpc.keepalive_time_ms": keepAliveMs, "grpc.keepalive_timeout_ms": keepAliveTimeoutMs };
}
