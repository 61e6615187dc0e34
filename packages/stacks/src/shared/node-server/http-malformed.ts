// Answers bytes that are not HTTP with a body of the style; Node.js would send a bare status.
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

/** The request line of RFC 9112, section 3, with any method. */
const requestLine = /^[!#$%&'*+.^_`|~\w-]+ [!-~]+ HTTP\/1\.[01]\r?\n/;

/** The error that Node.js reports for unreadable bytes. */
export interface UnreadableBytes extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** The socket property in which Node.js keeps its current response; its own answer to faults reads it too. */
const answering = "_httpMessage";

interface ServedSocket extends Duplex {
  readonly [answering]?: { readonly headersSent: boolean } | null;
}

function faultOf({ code = "", rawPacket }: UnreadableBytes): HttpFault {
  const isMethod = code === "HPE_INVALID_METHOD" && requestLine.test(rawPacket?.toString("latin1") ?? "");
  return isMethod ? unknownMethod : (faults[code] ?? noHttp);
}

/** Errors after which a connection cannot carry an answer. */
const unheard: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "ERR_TLS_HANDSHAKE_TIMEOUT"]);

/** Answers unreadable bytes, and closes the connection: what follows cannot be read either. */
export function answerMalformed(unreadable: UnreadableBytes, socket: ServedSocket, writeBody: WriteFaultBody): void {
  // The peer does not read, or an answer has begun, which a second one would corrupt.
  if (unheard.has(unreadable.code) || !socket.writable || socket[answering]?.headersSent === true) {
    socket.destroy();
    return;
  }
  answerOnSocket(faultOf(unreadable), socket, writeBody);
}
