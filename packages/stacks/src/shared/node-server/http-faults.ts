// Requests that break HTTP itself: their answers, with a body in the form of the style.
import { type FaultBody, STATUS_CODES, type WriteFaultBody } from "@roundtrip/styles/http/server";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { CallError, type CanonicalCode } from "@roundtrip/contract";
import { isExemptFromRequestLimit } from "./request-body.ts";

// Answers to faults of HTTP itself. The style only writes the body.

interface HttpFault {
  readonly status: number;
  readonly code: CanonicalCode;
  readonly message: string;
}

function bodyOf({ status, code, message }: HttpFault, write: WriteFaultBody): FaultBody {
  return write(new CallError(code, message), status);
}

function answerFault(fault: HttpFault, response: ServerResponse, writeBody: WriteFaultBody): void {
  const { type, text } = bodyOf(fault, writeBody);
  response.writeHead(fault.status, { "content-type": type, "content-length": Buffer.byteLength(text) }).end(text);
}

/** Answers on a socket without a response object, and closes it. */
function answerOnSocket(fault: HttpFault, socket: Duplex, writeBody: WriteFaultBody): void {
  const { type, text } = bodyOf(fault, writeBody);
  const head = [
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}`,
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`, () => socket.destroy());
}

// Answers bytes that are not HTTP with a body of the style; Node.js would send a bare status.

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
interface UnreadableBytes extends Error {
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
function answerMalformed(unreadable: UnreadableBytes, socket: ServedSocket, writeBody: WriteFaultBody): void {
  // The peer does not read, or an answer has begun, which a second one would corrupt.
  if (unheard.has(unreadable.code) || !socket.writable || socket[answering]?.headersSent === true) {
    socket.destroy();
    return;
  }
  answerOnSocket(faultOf(unreadable), socket, writeBody);
}

// Refuses requests that every HTTP/1.1 server must refuse. Node.js would answer them with a bare status.

function invalid(message: string): HttpFault {
  return { status: 400, code: "INVALID_ARGUMENT", message };
}

const noHost = invalid("the request has no Host header");
const twoHosts = invalid("the request has more than one Host header");
const oddHost = invalid("the Host header names no host");

const unknownExpectation: HttpFault = {
  status: 417,
  code: "INVALID_ARGUMENT",
  message: "the only expectation that is met is 100-continue",
};

/** Node.js decodes chunks only, and would pass on other transfer codings undecoded. */
const unknownCoding: HttpFault = {
  status: 501,
  code: "UNIMPLEMENTED",
  message: "the only transfer coding that is read is chunked",
};

const noTunnels: HttpFault = { status: 501, code: "UNIMPLEMENTED", message: "this server is no proxy" };

/** RFC 3986, section 3.2: a host and its port, or nothing. */
const hostText = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

let lastHost = "";

/** Also refuses hosts of which libraries can make no URL, such as 256.0.0.1: some answer those with 500. */
function isHost(text: string): boolean {
  if (text === "" || text === lastHost) return true;
  if (!hostText.test(text) || !URL.canParse(`http://${text}`)) return false;
  lastHost = text;
  return true;
}

/** The fault of the Host header (RFC 9112, section 3.2); undefined for a valid one. */
function hostFault({ rawHeaders, headers, httpVersion }: IncomingMessage): HttpFault | undefined {
  let hosts = 0;
  // The parsed headers keep only the first Host.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  if (hosts === 1) return isHost(headers.host as string) ? undefined : oddHost;
  if (hosts > 1) return twoHosts;
  return httpVersion === "1.0" ? undefined : noHost;
}

/** The fault of the transfer coding (RFC 9112, section 6.1). */
function codingFault({ headers }: IncomingMessage): HttpFault | undefined {
  const coding = headers["transfer-encoding"];
  return coding === undefined || coding.toLowerCase() === "chunked" ? undefined : unknownCoding;
}

/** Refuses invalid requests before they reach the listener. */
export function acceptable(listener: RequestListener, writeBody: WriteFaultBody): RequestListener {
  return (request, response) => {
    const fault = hostFault(request) ?? codingFault(request);
    if (fault === undefined) listener(request, response);
    else answerFault(fault, response.setHeader("connection", "close"), writeBody);
  };
}

export function answerRefused(server: Server, writeBody: WriteFaultBody): void {
  server.on("clientError", (unreadable: UnreadableBytes, socket) => {
    if (unreadable.code === "ERR_HTTP_REQUEST_TIMEOUT" && isExemptFromRequestLimit(socket)) return;
    answerMalformed(unreadable, socket, writeBody);
  });
  server.on("checkExpectation", (request, response) =>
    answerFault(hostFault(request) ?? unknownExpectation, response, writeBody),
  );
  server.on("connect", (_request, socket) => {
    // Node.js passes such a socket without an error listener.
    socket.on("error", () => socket.destroy());
    answerOnSocket(noTunnels, socket, writeBody);
  });
}
