// HTTP/2 has its own window on top of TCP's: both ends set it, so that it is the same in every run and never costs a round trip.
import type { Server } from "@grpc/grpc-js";
import type { Http2Server, ServerHttp2Session } from "node:http2";

/**
 * Bytes in flight per direction, for each connection as a whole and each stream in it. As much as the largest message by default;
 * HTTP/2's own default of 64 KB would cost a round trip per 64 KB.
 */
export const flowControlWindowBytes = 4 * 1024 * 1024;

/** Sets the window of a bound server. The library has an option for clients only, so this reaches for its HTTP/2 servers. */
export function setFlowControlWindow(server: Server): void {
  const http2Servers = server["http2Servers"] as unknown as ReadonlyMap<Http2Server, unknown>;
  for (const http2Server of http2Servers.keys()) {
    http2Server.updateSettings({ initialWindowSize: flowControlWindowBytes });
    http2Server.on("session", (session: ServerHttp2Session) => session.setLocalWindowSize(flowControlWindowBytes));
  }
}
