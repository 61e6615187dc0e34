// Settings of HTTP/2 connections.
import type { Http2Session } from "node:http2";
import type { PlainSetting } from "../../basics/stack.ts";
import {
  allowedHosts,
  clientConnectionSettings,
  keepAlive,
  maxConnectionIdleMs,
  type SettingsOf,
} from "../settings.ts";

// Timers, window sizes and stream counts all have 31 bits.
const most = 2 ** 31 - 1;

/** HTTP/2's default, which connections begin with; it can only grow. */
const leastWindowBytes = 65_535;

/**
 * Bytes that may be unacknowledged in one direction, for each connection and each stream. HTTP/2 has this window on top of TCP's. Both ends set it,
 * so that it is the same on every runtime. The default fits the largest message: HTTP/2's 64 KB would cost one more round trip per 64 KB.
 */
export const flowControlWindowBytes = 4 * 1024 * 1024;

export const http2Settings = [
  {
    name: "flowControlWindowBytes",
    meaning: "HTTP/2 flow-control window of each connection and each stream, in bytes",
    default: flowControlWindowBytes,
    values: { least: leastWindowBytes, most },
  },
  {
    name: "keepAliveMs",
    meaning: "milliseconds of silence before an HTTP/2 PING is sent; 0 sends none",
    default: 0,
    values: { least: 0, most },
  },
  {
    name: "keepAliveTimeoutMs",
    meaning: "milliseconds to wait for the answer to a PING before the connection is closed",
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
    meaning: "maximum concurrent calls on one connection; further calls wait in the client",
    default: 1_000,
    values: { least: 1, most },
  },
  {
    name: "maxUnreadBytes",
    meaning:
      "unread answers on one connection, in bytes, before it is closed, at most 256 MiB on all; only answers of 16 KiB or more count",
    default: 256 * 1024 * 1024,
    values: { least: 1, most },
  },
] as const satisfies readonly PlainSetting[];

/** Settings of every server over HTTP/2. */
export const http2ServerSettings = [
  keepAlive,
  maxConnectionIdleMs,
  allowedHosts,
  ...http2OnlyServerSettings,
] as const satisfies readonly PlainSetting[];

// HTTP/2 PING frames that find out whether the other end of a connection is still there.

type PingSettings = Pick<SettingsOf<typeof http2Settings>, "keepAliveMs" | "keepAliveTimeoutMs">;

/** Pings at intervals; closes the connection if an answer takes too long. @param isWanted false skips a ping: servers may refuse those without calls. */
export function sendPings(
  session: Http2Session,
  { keepAliveMs, keepAliveTimeoutMs }: PingSettings,
  isWanted: () => boolean,
): void {
  if (keepAliveMs === 0) return;
  let giveUp: NodeJS.Timeout | undefined;
  const ping = (): void => {
    if (giveUp !== undefined || !isWanted()) return;
    giveUp = setTimeout(() => session.destroy(), keepAliveTimeoutMs).unref();
    session.ping(() => {
      clearTimeout(giveUp);
      giveUp = undefined;
    });
  };
  const timer = setInterval(ping, keepAliveMs).unref();
  session.once("close", () => {
    clearInterval(timer);
    clearTimeout(giveUp);
  });
}
