// What is no HTTP is answered all the same, where Node.js would say a bare status: with a body of the style's own.
import { CallError, type CanonicalCode } from "@roundtrip/contract";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** The body of an answer to a request that could not be read. */
export interface MalformedAnswer {
  readonly type: string;
  readonly text: string;
}

/** Writes that body. */
export type TellMalformed = (error: CallError, status: number) => MalformedAnswer;

interface Fault {
  readonly status: number;
  readonly code: CanonicalCode;
  readonly message: string;
}

const faults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: "RESOURCE_EXHAUSTED", message: "the headers are too large" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: "RESOURCE_EXHAUSTED", message: "the chunks are too large" },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: "DEADLINE_EXCEEDED", message: "the request took too long to arrive" },
};

const noHttp: Fault = { status: 400, code: "INVALID_ARGUMENT", message: "this is no HTTP/1.1 request" };

/** Where Node.js notes the answer that is being written to a socket; its own answer to faults looks there as well. */
const answering = "_httpMessage";

interface ServedSocket extends Duplex {
  readonly [answering]?: { readonly headersSent: boolean } | null;
}

/** Answers on a connection whose bytes could not be read, and closes it: what follows cannot be read either. */
export function answerMalformed(fault: Error & { code?: string }, socket: ServedSocket, tell: TellMalformed): void {
  // Nobody listens any more, or an answer has begun, which another would garble.
  if (fault.code === "ECONNRESET" || !socket.writable || socket[answering]?.headersSent === true) {
    socket.destroy();
    return;
  }
  const { status, code, message } = faults[fault.code ?? ""] ?? noHttp;
  const { type, text } = tell(new CallError(code, message), status);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`, () => socket.destroy());
}
