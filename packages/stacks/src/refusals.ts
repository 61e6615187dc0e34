// Requests that a server refuses before they reach an operation: an unknown path or method, an unreadable body, bytes that are no request. Measured
// servers do without.
import type { DescMessage } from "@bufbuild/protobuf";
import {
  type CallError,
  type CanonicalCode,
  clientAddress,
  codeFromGrpc,
  codeFromHttp,
  type Contract,
  methodPath,
  shortText,
} from "@roundtrip/contract";
import { nearestName } from "@roundtrip/contract/text";
import { loadRefusals, type NearestOperation } from "@roundtrip/styles";
import type { HttpAnswer, HttpService, ServedExchange } from "@roundtrip/styles/http/server";
import { AsyncLocalStorage } from "node:async_hooks";
import type { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { RequestWatch } from "./basics/stack.ts";
import { type NotedError, notedError } from "./shared/noted-errors.ts";

export interface RefusedRequest {
  /** Method and target of the request line: `GET /v1/custmers/7?pageSize=…`. The values of its query are left out, since they may be secret. */
  readonly request: string;
  readonly headers: IncomingHttpHeaders;
  /** The client's address; empty if its connection was closed before the request was read. */
  readonly client: string;
  readonly code: CanonicalCode;
  /** The message of the error; the status for an answer without one. */
  readonly message: string;
  /** For REST, gRPC and Connect: what exists and is most like what was asked for; undefined if nothing is similar. */
  readonly nearest: NearestOperation | undefined;
  /** For REST, if the fault is a field that does not exist: the path of the most similar one, such as `customer.mail`. */
  readonly nearestField: string | undefined;
}

type Received = Pick<IncomingMessage, "headers"> & {
  readonly method: string;
  readonly url: string;
  /** A socket, or a session of HTTP/2. */
  readonly socket: object | undefined;
};

const maxTargetCharacters = 500;

/** `GET /v1/customers?pageSize=…` */
function requestLine({ method, url }: Received): string {
  const [path = "", query] = url.split("?", 2);
  return `${method} ${shortText(query === undefined ? path : `${path}?${query.replaceAll(/=[^&]*/g, "=…")}`, maxTargetCharacters)}`;
}

/** The path with the nearest name in place of the first that does not exist; undefined if all exist, or nothing is similar. */
function nearestPath(input: DescMessage, path: string): string | undefined {
  const found: string[] = [];
  let type: DescMessage | undefined = input;
  for (const step of path.split(".")) {
    const name = step.replace(/\[.*$/, "");
    const fields: DescMessage["fields"] = type?.fields ?? [];
    const field = fields.find((candidate) => candidate.name === name || candidate.jsonName === name);
    if (field === undefined) {
      const names = fields.map(({ jsonName }) => jsonName);
      const nearest = nearestName(name, names);
      return nearest === undefined ? undefined : [...found, nearest].join(".");
    }
    found.push(step);
    type = field.message;
  }
  return undefined;
}

/** The field that is most like an unknown one in the request of an operation. */
function nearestFieldOf(error: CallError, operation: string | undefined, contract: Contract): string | undefined {
  if (operation === undefined) return undefined;
  const { input } = contract.operation(operation);
  return error.details.violations.map(({ field }) => nearestPath(input, field)).find((path) => path !== undefined);
}

/** The operation whose path in gRPC and Connect is most like an unknown one. */
function nearestMethod(path: string, { operations }: Contract): NearestOperation | undefined {
  const paths = operations.map(({ method }) => methodPath(method));
  const address = /^\/[\w.]+\/\w+$/.test(path) ? nearestName(path, paths) : undefined;
  const found = operations[paths.indexOf(address ?? "")];
  return address === undefined || found === undefined ? undefined : { operation: found.id, address };
}

/** What a client of HTTP/2 sends first (RFC 9113, section 3.4). */
const http2Preface = "PRI * HTTP/2.0";

/** nghttp2's number of a connection that does not begin with the preface. */
const badClientMagic = -903;

type ConnectionFault = Error & { readonly code?: string; readonly errno?: number; readonly rawPacket?: Buffer };

function http1Fault({ code = "", rawPacket }: ConnectionFault): string | undefined {
  if (!code.startsWith("HPE_")) return undefined;
  return rawPacket?.toString("latin1", 0, http2Preface.length) === http2Preface
    ? "the connection speaks HTTP/2, as gRPC does, and this server HTTP/1.1"
    : "the connection does not speak HTTP/1.1, or speaks TLS to a server without it";
}

function http2Fault({ errno }: ConnectionFault): string | undefined {
  return errno === badClientMagic ? "the connection does not speak HTTP/2, as gRPC does" : undefined;
}

/** The error of gRPC in headers or trailers; undefined for a success. */
function grpcError({ "grpc-status": status, "grpc-message": message }: IncomingHttpHeaders): NotedError | undefined {
  if (status === undefined || Number(status) === 0) return undefined;
  const text = message === undefined ? `gRPC status ${String(status)}` : decodeURIComponent(String(message));
  return { code: codeFromGrpc(Number(status)), message: text };
}

/** What an answer without an error says; undefined for a success. */
function statusError(status: number): NotedError | undefined {
  return status < 400 ? undefined : { code: codeFromHttp(status), message: `HTTP ${status}` };
}

/** Answers with these statuses reached no operation, even if the path names one. */
const beforeOperation: ReadonlySet<number> = new Set([405, 415, 421]);

/**
 * A watch for servers of a style, which reports each refused request. Rejects with a StyleError for an unknown style. @param contract returns the
 * contract that is served
 */
export async function watchRefusals(
  style: string,
  contract: () => Contract,
  onRefused: (refused: RefusedRequest) => void,
): Promise<RequestWatch> {
  const refusals = await loadRefusals(style);
  /** Requests that `overHttp` judges. */
  const judged = new WeakSet<object>();
  const calls = new AsyncLocalStorage<{ isReached: boolean }>();

  function report(
    request: Received,
    client: string,
    error: Pick<CallError, "code" | "message">,
    nearest?: NearestOperation,
  ): void {
    const { code, message } = error;
    const nearestField =
      "details" in error ? nearestFieldOf(error as CallError, nearest?.operation, contract()) : undefined;
    onRefused({
      request: requestLine(request),
      headers: request.headers,
      client,
      code,
      message: shortText(message),
      nearest,
      nearestField,
    });
  }

  function judge(request: Received, client: string, { status, body }: HttpAnswer): void {
    const text = typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body).toString() : "";
    const error = refusals?.errorIn({ status, body: text }) ?? statusError(status);
    if (error === undefined) return;
    try {
      report(request, client, error, refusals?.nearest(request, contract()));
    } catch (thrown) {
      // The answer is sent all the same.
      process.emitWarning(thrown instanceof Error ? thrown : String(thrown));
    }
  }

  /** Answers in a context that calls mark, and judges the answer. */
  function watched<A extends HttpAnswer | Promise<HttpAnswer>>(request: Received, client: string, answer: () => A): A {
    const call = { isReached: false };
    const judgeUnreached = (answered: HttpAnswer): void => {
      if (!call.isReached) judge(request, client, answered);
    };
    const made = calls.run(call, answer);
    if (made instanceof Promise) void made.then(judgeUnreached);
    else judgeUnreached(made);
    return made;
  }

  function watchedExchange(request: Received, exchange: ServedExchange): ServedExchange {
    // Now: the connection may be closed when the answer is made.
    const client = clientAddress(request.socket);
    return {
      takes: exchange.takes,
      signal: exchange.signal,
      answer: (body) => watched(request, client, () => exchange.answer(body)),
      answerPieces: (pieces) => watched(request, client, () => exchange.answerPieces(pieces)),
      refuse: (thrown) => watched(request, client, () => exchange.refuse(thrown)),
      cancel: () => exchange.cancel(),
    };
  }

  /** Reports an answered request with an error, if its path names no operation. */
  function judgeStatus(request: Received, client: string, status: number, error: NotedError | undefined): void {
    if (error === undefined) return;
    const path = request.url.split("?", 1)[0] ?? "";
    const isOperation = contract().operations.some(({ method }) => path === methodPath(method));
    if (!isOperation || beforeOperation.has(status)) report(request, client, error, nearestMethod(path, contract()));
  }

  function reportConnection(message: string | undefined, client: string): void {
    if (message === undefined) return;
    const unknown = { nearest: undefined, nearestField: undefined };
    onRefused({ request: "a connection", headers: {}, client, code: "INVALID_ARGUMENT", message, ...unknown });
  }

  function mark(): void {
    const call = calls.getStore();
    if (call !== undefined) call.isReached = true;
  }

  return {
    overHttp: (service: HttpService) => ({
      begin(request) {
        judged.add(request);
        return watchedExchange(request, service.begin(request));
      },
    }),
    listen(server: EventEmitter) {
      // A listener for requests would start the compatibility layer of an HTTP/2 server.
      if ("updateSettings" in server) {
        // A session that fails has lost its socket.
        const clients = new WeakMap<object, string>();
        server.on("session", (session: object) => clients.set(session, clientAddress(session)));
        server.on("sessionError", (error: ConnectionFault, session: object) => {
          reportConnection(http2Fault(error), clients.get(session) ?? "");
        });
        server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
          const { session: socket } = stream;
          const client = clientAddress(socket);
          stream.once("close", () => {
            const { sentHeaders = {}, sentTrailers = {} } = stream as Partial<ServerHttp2Stream>;
            const request = { method: headers[":method"] ?? "", url: headers[":path"] ?? "", headers, socket };
            const status = Number(sentHeaders[":status"] ?? 200);
            const ofGrpc = grpcError({ ...sentHeaders, ...sentTrailers } as IncomingHttpHeaders);
            judgeStatus(request, client, status, notedError(stream) ?? ofGrpc ?? statusError(status));
          });
        });
        return;
      }
      server.on("clientError", (error: ConnectionFault, socket: object) =>
        reportConnection(http1Fault(error), clientAddress(socket)),
      );
      server.on("request", (request: IncomingMessage, response: ServerResponse) => {
        const client = clientAddress(request.socket);
        response.once("close", () => {
          const { statusCode: status } = response;
          const error = notedError(response) ?? statusError(status);
          if (!judged.has(request)) judgeStatus(request as IncomingMessage & Received, client, status, error);
        });
      });
    },
    marking: (service) => ({
      contract: service.contract,
      guard: (next) => service.guard(next),
      call(operation, request, call) {
        mark();
        return service.call(operation, request, call);
      },
      stream(operation, requests, call) {
        mark();
        return service.stream(operation, requests, call);
      },
    }),
  };
}
