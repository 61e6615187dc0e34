// HTTP/2 PING frames that find out whether the other end of a connection is still there.
import type { Http2Session } from "node:http2";
import type { SettingsOf } from "../settings.ts";
import type { http2Settings } from "./http2-settings.ts";

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
