// What servers need of grpc-js and it does not make public. Tests see from outside what depends on each of these.
import type { Server } from "@grpc/grpc-js";
import type { Http2Server, ServerHttp2Stream } from "node:http2";

/** The argument of a handler has, as `call`, what reads and writes. */
interface Internals {
  readonly call: { readonly stream: ServerHttp2Stream; readonly decoder: { readonly readState: number } };
}

/** The servers of Node.js behind a server that is bound. Its own option for their HTTP/2 window is read by clients only. */
export function http2ServersOf(server: Server): Iterable<Http2Server> {
  return (server["http2Servers"] as unknown as ReadonlyMap<Http2Server, unknown>).keys();
}

/** Where the answer of a call goes out. */
export function streamOf(call: object): ServerHttp2Stream {
  return (call as Internals).call.stream;
}

/** Whether the body of a request has ended inside a message, which grpc-js takes for the end of the stream. */
export function isCutShort(call: object): boolean {
  return (call as Internals).call.decoder.readState !== 0;
}
