// Requests over HTTP/2 for servers over HTTP/1.1: each becomes a connection of its own in memory, where all limits of HTTP/1.1 hold.
import { type CallError, canonicalCodes } from "@roundtrip/contract";
import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import type { RequestFaults } from "../../basics/stack.ts";
import { passedOnUntil } from "../http2/received-requests.ts";
import { countedBytes, noteUnread } from "../http2/session-watch.ts";

/** A late or large request is refused over HTTP/1.1, which knows streams; this is for what does not get there. */
export const bridgeFaults: RequestFaults = {
  requestStreams: { has: () => true },
  lateRequest: { ":status": 408 },
  exhaustedRequest: ({ code }: CallError) => ({ ":status": canonicalCodes[code].http }),
};

/** What HTTP/1.1 says of a connection (RFC 9113, section 8.2.2). */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** Without pseudo-headers: the host is that of `:authority`, and cookies are one header (RFC 9113, section 8.2.3). */
function http1Headers(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const plain = Object.entries(headers).filter(([name]) => !name.startsWith(":") && !ofConnection.has(name));
  return { ...Object.fromEntries(plain), host: headers[":authority"] ?? headers.host, connection: "close" };
}

function http2Headers({ statusCode, headersDistinct }: IncomingMessage): OutgoingHttpHeaders {
  const plain = Object.entries(headersDistinct).filter(([name]) => !ofConnection.has(name));
  const single = plain.map(([name, values]) => [name, values?.length === 1 ? values[0] : values] as const);
  return { ":status": statusCode ?? 500, ...Object.fromEntries(single) };
}

/** The end of a connection in memory that a server takes for a socket. */
function socketEnd(end: Duplex, { remoteAddress, remotePort, localAddress }: Socket, isTls: boolean): Duplex {
  return Object.assign(end, {
    remoteAddress,
    remotePort,
    localAddress,
    encrypted: isTls,
    destroySoon() {
      end.end(() => end.destroy());
    },
  });
}

/** Writes an answer no faster than it is read. */
function passAnswer(answer: IncomingMessage, stream: ServerHttp2Stream): void {
  if (stream.closed || stream.destroyed) {
    answer.destroy();
    return;
  }
  stream.respond(http2Headers(answer));
  answer.on("data", (chunk: Buffer) => {
    if (stream.write(chunk)) return;
    noteUnread(stream, Math.max(chunk.length, countedBytes));
    answer.pause();
    stream.once("drain", () => {
      noteUnread(stream, 0);
      answer.resume();
    });
  });
  answer.on("end", () => stream.end());
  // Cut short: the caller must see that.
  answer.on("error", () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
}

/** Undefined for what HTTP/1.1 cannot express, such as a path with a space. */
function http1Request(headers: IncomingHttpHeaders, end: Duplex): ClientRequest | undefined {
  if (headers[":method"] === "CONNECT") return undefined;
  // Loaded here, because measured servers do without Node.js's HTTP client.
  const { request } = process.getBuiltinModule("node:http");
  try {
    return request({
      createConnection: () => end,
      method: headers[":method"] ?? "GET",
      path: headers[":path"] ?? "/",
      headers: http1Headers(headers),
      setHost: false,
    });
  } catch {
    return undefined;
  }
}

/** The request over HTTP/1.1 of a stream of HTTP/2. @param accept takes the connection */
export function bridge(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  accept: (socket: Duplex) => void,
): void {
  const { session } = stream;
  if (session === undefined) return;
  const [end, served] = duplexPair();
  const request = http1Request(headers, end);
  stream.on("error", () => undefined);
  if (request === undefined) {
    stream.resume();
    stream.respond({ ":status": headers[":method"] === "CONNECT" ? 501 : 400 }, { endStream: true });
    return;
  }
  request.on("response", (answer) => passAnswer(answer, stream));
  request.on("error", () => {
    if (!stream.closed) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  });
  stream.once("close", () => {
    request.destroy();
    served.destroy();
  });
  stream.on("data", (chunk: Buffer) => {
    passedOnUntil(stream, stream.readableLength);
    if (request.write(chunk)) return;
    stream.pause();
    request.once("drain", () => stream.resume());
  });
  stream.on("end", () => request.end());
  accept(socketEnd(served, session.socket, session.encrypted === true));
}
