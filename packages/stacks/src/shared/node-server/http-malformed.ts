// What is no HTTP is answered all the same, where Node.js would say a bare status: with a body of the style's own.
import type { WriteFaultBody } from "@roundtrip/styles/http/server";
import type { Duplex } from "node:stream";
import { answerOnSocket, type HttpFault } from "./http-fault.ts";

const faults: Readonly<Record<string, HttpFault>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: "RESOURCE_EXHAUSTED", message: "the headers are too large" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: "RESOURCE_EXHAUSTED", message: "the chunks are too large" },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: "DEADLINE_EXCEEDED", message: "the request took too long to arrive" },
};

const noHttp: HttpFault = { status: 400, code: "INVALID_ARGUMENT", message: "this is no HTTP/1.1 request" };

const unknownMethod: HttpFault = { status: 501, code: "UNIMPLEMENTED", message: "there is no such HTTP method here" };

/** The request line of RFC 9112, section 3, whatever its method is. */
const requestLine = /^[!#$%&'*+.^_`|~\w-]+ [!-~]+ HTTP\/1\.[01]\r?\n/;

/** What Node.js reports about bytes that it could not read. */
export interface UnreadableBytes extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Where Node.js notes the answer that is being written to a socket; its own answer to faults looks there as well. */
const answering = "_httpMessage";

interface ServedSocket extends Duplex {
  readonly [answering]?: { readonly headersSent: boolean } | null;
}

function faultOf({ code = "", rawPacket }: UnreadableBytes): HttpFault {
  const isMethod = code === "HPE_INVALID_METHOD" && requestLine.test(rawPacket?.toString("latin1") ?? "");
  return isMethod ? unknownMethod : (faults[code] ?? noHttp);
}

/** What has happened to a connection on which nothing can be said. */
const unheard: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "ERR_TLS_HANDSHAKE_TIMEOUT"]);

/** Answers on a connection whose bytes could not be read, and closes it: what follows cannot be read either. */
export function answerMalformed(unreadable: UnreadableBytes, socket: ServedSocket, writeBody: WriteFaultBody): void {
  // Nobody listens any more or yet, or an answer has begun, which another would garble.
  if (unheard.has(unreadable.code) || !socket.writable || socket[answering]?.headersSent === true) {
    socket.destroy();
    return;
  }
  answerOnSocket(faultOf(unreadable), socket, writeBody);
}
