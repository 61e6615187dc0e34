// Settings of HTTP/2 connections.
import type { PlainSetting } from "../../basics/stack.ts";
import { clientConnectionSettings, keepAlive } from "../connection-settings.ts";
import { maxConnectionIdleMs } from "../http-settings.ts";

// Timers, window sizes and stream counts all have 31 bits.
const most = 2 ** 31 - 1;

/** HTTP/2's default, which connections begin with; it can only grow. */
const leastWindowBytes = 65_535;

/**
 * Bytes that may be unacknowledged in one direction, for each connection and each stream. HTTP/2 has this window on top of TCP's. Both ends set it,
 * so that it is the same on every runtime. The default fits the largest message: HTTP/2's 64 KB would cost one more round trip per 64 KB.
 */
export const flowControlWindowBytes = 4 * 1024 * 1024;

/** Settings of both ends. */
export const http2Settings = [
  {
    name: "flowControlWindowBytes",
    meaning: "HTTP/2 window: bytes under way in one direction, on each connection and on each stream",
    default: flowControlWindowBytes,
    values: { least: leastWindowBytes, most },
  },
  {
    name: "keepAliveMs",
    meaning: "asks the other end for a sign of life (HTTP/2 PING) after so long without one; 0 never asks",
    default: 0,
    values: { least: 0, most },
  },
  {
    name: "keepAliveTimeoutMs",
    meaning: "how long that sign may take before the connection is given up",
    default: 20_000,
    values: { least: 1, most },
  },
] as const satisfies readonly PlainSetting[];

/** Settings of every client whose connections are `http2-connections.ts`. */
export const http2ClientSettings = [
  ...clientConnectionSettings,
  ...http2Settings,
] as const satisfies readonly PlainSetting[];

/** Settings of servers over HTTP/2 beyond those of every version of HTTP. */
export const http2OnlyServerSettings = [
  ...http2Settings,
  {
    name: "maxConcurrentStreams",
    meaning: "calls at once on one connection; a client with more keeps the rest waiting",
    default: 1_000,
    values: { least: 1, most },
  },
  {
    name: "maxUnreadBytes",
    meaning:
      "answers that wait for their caller on one connection, before it is closed; those of 16 KiB and more count",
    default: 256 * 1024 * 1024,
    values: { least: 1, most },
  },
] as const satisfies readonly PlainSetting[];

/** Settings of every server over HTTP/2. */
export const http2ServerSettings = [
  keepAlive,
  maxConnectionIdleMs,
  ...http2OnlyServerSettings,
] as const satisfies readonly PlainSetting[];
