// Refuses requests that every HTTP/1.1 server must refuse. Node.js would answer them with a bare status.
import type { WriteFaultBody } from "@roundtrip/styles/http/server";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { answerFault, answerOnSocket, type HttpFault } from "./http-fault.ts";
import { answerMalformed, type UnreadableBytes } from "./http-malformed.ts";
import { isExemptFromRequestLimit } from "./unhurried-body.ts";

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
