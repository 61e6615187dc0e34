// Private parts of grpc-js that servers need. Tests cover the behaviour that depends on each.
import type { Server } from "@grpc/grpc-js";
import type { Http2Server, ServerHttp2Stream } from "node:http2";

/** The private `call` of a handler's argument reads and writes. */
interface Internals {
  readonly call: { readonly stream: ServerHttp2Stream; readonly decoder: { readonly readState: number } };
}

/** The Node.js servers behind a bound server, to set their HTTP/2 window: only clients read the grpc-js option for it. */
export function http2ServersOf(server: Server): Iterable<Http2Server> {
  return (server["http2Servers"] as unknown as ReadonlyMap<Http2Server, unknown>).keys();
}

export function streamOf(call: object): ServerHttp2Stream {
  return (call as Internals).call.stream;
}

/** Whether a request body ended inside a message. grpc-js treats that as the end of the stream. */
export function isCutShort(call: object): boolean {
  return (call as Internals).call.decoder.readState !== 0;
}
