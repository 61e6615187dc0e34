// Answers to faults of HTTP itself. The style only writes the body.
import { CallError, type CanonicalCode } from "@roundtrip/contract";
import type { ServerResponse } from "node:http";
import { type FaultBody, STATUS_CODES, type WriteFaultBody } from "@roundtrip/styles/http/server";
import type { Duplex } from "node:stream";

export interface HttpFault {
  readonly status: number;
  readonly code: CanonicalCode;
  readonly message: string;
}

function bodyOf({ status, code, message }: HttpFault, write: WriteFaultBody): FaultBody {
  return write(new CallError(code, message), status);
}

export function answerFault(fault: HttpFault, response: ServerResponse, writeBody: WriteFaultBody): void {
  const { type, text } = bodyOf(fault, writeBody);
  response.writeHead(fault.status, { "content-type": type, "content-length": Buffer.byteLength(text) }).end(text);
}

/** Answers on a socket without a response object, and closes it. */
export function answerOnSocket(fault: HttpFault, socket: Duplex, writeBody: WriteFaultBody): void {
  const { type, text } = bodyOf(fault, writeBody);
  const head = [
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}`,
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`, () => socket.destroy());
}
