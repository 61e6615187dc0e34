// One port for servers of several styles: over HTTP/1.1 and HTTP/2, with or without TLS. A connection that begins with HTTP/2's preface speaks that, all
// others HTTP/1.1; each request then goes to the server of its style.
import type { Contract } from "@roundtrip/contract";
import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { RequestFaults, RunningServer, ServeOptions, SharedPort } from "../../basics/stack.ts";
import { Http2Sessions } from "../http2/http2-server.ts";
import { http2OnlyServerSettings } from "../http2/http2-settings.ts";
import { httpPort } from "../node-server/http-server.ts";
import { httpServerSettingsWith, settingsWith } from "../settings.ts";
import { bridge, bridgeFaults } from "./http2-bridge.ts";
import { type AskedFor, choosePart, isConnectCall, isGrpcCall, type PortPart } from "./which-style.ts";

/** What a client of HTTP/2 sends first (RFC 9113, section 3.4). */
const preface = Buffer.from("PRI * HTTP/2.0\r\n");

/** Finds out what a new connection speaks, and calls back with its first bytes put back. Closes it if they take too long. */
function recognise(socket: Socket, maxMs: number, found: (isHttp2: boolean) => void): void {
  let head: Buffer = Buffer.alloc(0);
  const late = setTimeout(() => socket.destroy(), maxMs).unref();
  const over = (): void => {
    clearTimeout(late);
    socket.off("data", onData).off("end", drop).off("error", over).off("close", over);
  };
  // Its end comes before a request.
  const drop = (): void => void socket.destroy();
  const decide = (): void => {
    over();
    socket.pause();
    socket.unshift(head);
    found(head.length >= preface.length && head.subarray(0, preface.length).equals(preface));
  };
  const onData = (chunk: Buffer): void => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const compared = Math.min(head.length, preface.length);
    const mayBeHttp2 = head.subarray(0, compared).equals(preface.subarray(0, compared));
    if (!mayBeHttp2 || compared === preface.length) decide();
  };
  socket.on("data", onData).once("end", drop).once("error", over).once("close", over);
}

export interface Part extends SharedPort, PortPart {
  paths: readonly string[];
  /** Those of its pages and documents. */
  documents: readonly string[];
  /** Loads and adds its server, with its first request; undefined when it has been added. Resolves then. */
  start: (() => Promise<unknown>) | undefined;
}

interface OpenPart extends Part {
  http2: { readonly server: Http2Server; readonly faults: RequestFaults } | undefined;
}

/** A port whose servers are added one after the other. */
export interface OpenedPort extends RunningServer {
  /** The part of a server, without paths of its own. @param style empty for one without operations */
  part(style: string): Part;
  /** Answers requests from now on; before that, they get 503. */
  begin(): void;
}

function askedBy(url: string, headers: IncomingHttpHeaders, isHttp2: boolean): AskedFor {
  const [path = "", query = ""] = url.replace(/^https?:\/\/[^/?]*/i, "").split("?", 2);
  return {
    path: path === "" ? "/" : path,
    query,
    contentType: headers["content-type"]?.toLowerCase() ?? "",
    isConnect: headers["connect-protocol-version"] !== undefined,
    isHttp2,
  };
}

const settings = {
  http1: httpServerSettingsWith({}),
  http2: settingsWith(http2OnlyServerSettings, {}),
};

function answerPlainly(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(`${text}\n`);
}

/** Opens it. Rejects with a StackError when it cannot listen. @param contract returns the one that is served */
export async function openSharedPort(
  options: Omit<ServeOptions, "settings" | "watch" | "sharedPort">,
  contract: () => Contract,
): Promise<OpenedPort> {
  const { tls, maxHeadersMs, shutdownGraceMs } = options;
  const unshared = { ...options, settings: {}, watch: undefined, sharedPort: undefined };
  const parts: OpenPart[] = [];
  let isBegun = false;
  const port = httpPort(unshared, settings.http1, undefined, ["h2", "http/1.1"]);
  const { server } = port;

  // HTTP/1.1
  const http1PartOf = (asked: AskedFor): OpenPart | undefined =>
    choosePart(
      asked,
      contract(),
      parts.filter(
        ({ http1, start, style }) => http1.listenerCount("request") > 0 || (start !== undefined && style !== "grpc"),
      ),
    );
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const asked = askedBy(request.url ?? "", request.headers, false);
    if (!isBegun) answerPlainly(response, 503, "the server is starting");
    else if (isGrpcCall(asked)) answerPlainly(response, 505, "gRPC requires HTTP/2");
    else {
      const part = http1PartOf(asked);
      if (part === undefined) answerPlainly(response, 404, "nothing is served over HTTP/1.1");
      else if (part.start === undefined) part.http1.emit("request", request, response);
      else {
        part.start().then(
          () => part.http1.emit("request", request, response),
          (thrown: unknown) => answerPlainly(response, 500, (thrown as Error).message),
        );
      }
    }
  });

  // Bytes that are no request belong to no server: REST's reports them, where there is one.
  server.on("clientError", (fault, socket) => {
    const part = parts.find(({ style }) => style === "rest") ?? parts[0];
    if (part?.start === undefined) part?.http1.emit("clientError", fault, socket);
    else {
      part.start().then(
        () => part.http1.emit("clientError", fault, socket),
        () => undefined,
      );
    }
  });
  port.onUpgrade((request, socket, head) => {
    const part = isBegun ? http1PartOf(askedBy(request.url ?? "", request.headers, false)) : undefined;
    if (part?.start === undefined) return part?.takeUpgrade(request, socket, head) ?? false;
    // It comes again when its server is there.
    part.start().then(
      () => server.emit("upgrade", request, socket, head),
      () => socket.destroy(),
    );
    return true;
  });

  // HTTP/2
  const http2 = createServer({
    settings: { maxConcurrentStreams: settings.http2.maxConcurrentStreams },
    // As of every server over HTTP/2.
    maxSessionMemory: Number.MAX_SAFE_INTEGER,
  });
  const http2Of = (style: string): OpenPart | undefined =>
    parts.find((part) => part.style === style && (part.http2 ?? part.start) !== undefined);
  const http2PartOf = (headers: IncomingHttpHeaders): OpenPart | undefined => {
    const asked = askedBy(headers[":path"] ?? "", headers, true);
    if (isGrpcCall(asked)) return http2Of("grpc");
    // Without Connect, gRPC says what is wrong with other types at the paths of methods.
    return isConnectCall(asked, contract()) ? (http2Of("connect") ?? http2Of("grpc")) : undefined;
  };
  const sessions = new Http2Sessions([http2], {
    ...unshared,
    ...settings.http2,
    ...settings.http1,
    faultsOf: (headers) => http2PartOf(headers)?.http2?.faults ?? bridgeFaults,
    isEager: false,
  });
  const event = tls === undefined ? "connection" : "secureConnection";
  // What Node.js and this package do with a connection over HTTP/1.1.
  const accepting = server.listeners(event) as unknown as readonly ((socket: Duplex) => void)[];
  const accept = (socket: Duplex): void => {
    for (const listener of accepting) listener.call(server, socket);
  };
  http2.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags, rawHeaders) => {
    const part = isBegun ? http2PartOf(headers) : undefined;
    if (part === undefined) bridge(stream, headers, accept);
    else if (part.http2 === undefined) stream.on("error", () => undefined).close(constants.NGHTTP2_INTERNAL_ERROR);
    else part.http2.server.emit("stream", stream, headers, flags, rawHeaders);
  });

  // A server that takes streams has to be there when they begin.
  const whenLoaded = (begin: () => void): void => {
    const late = parts.filter(({ style, start }) => start !== undefined && (style === "grpc" || style === "connect"));
    if (late.length === 0) begin();
    else void Promise.allSettled(late.map(async ({ start }) => start?.())).then(begin);
  };

  // Connections
  const unrecognised = new Set<Socket>();
  const ofHttp2 = new Set<Socket>();
  server.removeAllListeners(event).on(event, (socket: Socket) => {
    unrecognised.add(socket);
    socket.once("close", () => {
      unrecognised.delete(socket);
      ofHttp2.delete(socket);
    });
    recognise(socket, maxHeadersMs, (isHttp2) => {
      if (isHttp2) {
        socket.on("error", () => socket.destroy());
        // As a server over HTTP/2 has it: a session ends with its caller.
        socket.allowHalfOpen = false;
        whenLoaded(() => {
          if (socket.destroyed) return;
          unrecognised.delete(socket);
          ofHttp2.add(socket);
          http2.emit("connection", socket);
        });
      } else {
        unrecognised.delete(socket);
        accept(socket);
        socket.resume();
      }
    });
  });

  const url = await port.listen();
  const closeAll = async (): Promise<void> => {
    const cut = setTimeout(() => {
      sessions.destroy();
      // Node.js keeps the socket of a destroyed session open while it has bytes to send.
      for (const socket of ofHttp2) socket.destroy();
    }, shutdownGraceMs);
    sessions.close();
    for (const socket of unrecognised) socket.destroy();
    await port.close();
    http2.close();
    clearTimeout(cut);
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeAll());
  return {
    url,
    close,
    part(style) {
      const part: OpenPart = {
        url,
        close,
        address: () => server.address(),
        style,
        paths: [],
        documents: [],
        documentPaths: () => parts.flatMap(({ documents }) => documents),
        start: undefined,
        http1: new EventEmitter(),
        http2: undefined,
        takeUpgrade: () => false,
        takeHttp2: (taken, faults) => void (part.http2 = { server: taken, faults }),
      };
      parts.push(part);
      return part;
    },
    begin: () => void (isBegun = true),
  };
}
