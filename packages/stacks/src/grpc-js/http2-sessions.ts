// The HTTP/2 connections of a gRPC server, for what grpc-js has no option for: their window, how many there may
// be, how long they last, and cutting them off.
import type { Server } from "@grpc/grpc-js";
import { constants, type Http2Server, type ServerHttp2Session } from "node:http2";
import { closeAfterCall } from "./close-after-call.ts";

export interface Http2SessionOptions {
  readonly maxConnections: number;
  /** HTTP/2 window of what the server receives, on each connection and on each stream. */
  readonly flowControlWindowBytes: number;
  /** False closes each connection after the calls that it was opened for. */
  readonly keepAlive: boolean;
}

/** The open connections of a server that is bound. */
export class Http2Sessions {
  readonly #open = new Set<ServerHttp2Session>();

  constructor(server: Server, { maxConnections, flowControlWindowBytes, keepAlive }: Http2SessionOptions) {
    // Not public in grpc-js; its own option for the window is read by clients only. A test sees the window from outside.
    const http2Servers = server["http2Servers"] as unknown as ReadonlyMap<Http2Server, unknown>;
    for (const http2Server of http2Servers.keys()) {
      http2Server.maxConnections = maxConnections;
      http2Server.updateSettings({ initialWindowSize: flowControlWindowBytes });
      http2Server.on("session", (session) => {
        session.setLocalWindowSize(flowControlWindowBytes);
        if (!keepAlive) closeAfterCall(session);
        this.#open.add(session);
        session.once("close", () => this.#open.delete(session));
      });
    }
  }

  /** Cuts off every connection and the calls on it. `forceShutdown` of grpc-js does so only while channelz keeps books. */
  destroy(): void {
    for (const session of this.#open) session.destroy(undefined, constants.NGHTTP2_CANCEL);
  }
}
