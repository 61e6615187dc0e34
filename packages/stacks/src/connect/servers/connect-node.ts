// Serves a contract over Connect and gRPC-Web with Connect's router and its adapter for Node.js, over HTTP/1.1 or HTTP/2.
import { universalResponseToNodeResponse } from "@connectrpc/connect-node";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import {
  CallError,
  type ConnectionCut,
  type Metadata,
  methodPath,
  type Service,
  streamsRequests,
  firstHalfOf,
} from "@roundtrip/contract";
import { errorTrailers, type StandardMethod, standardMethods, statusOf } from "@roundtrip/styles/grpc/server";
import { enveloped, exhaustedRequest, lateRequest, unknownName, writeError } from "@roundtrip/styles/connect/server";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { toBinary } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { jsonExcess, libraryWeights, metadataIn } from "@roundtrip/styles/server";
import { once } from "node:events";
import type { RunningServer, Serve, ServeOptions } from "../../basics/stack.ts";
import {
  checkBinary,
  CountedResponse,
  cutStream,
  handlersOf,
  type ImplementedMethod,
  type IncomingCall,
  piecesUntilAnswer,
  receivedRequest,
  withoutMessage,
} from "../../shared/connect-node/implementation.ts";
import type { JudgeCaller } from "../../shared/callers.ts";
import { noteError } from "../../shared/noted-errors.ts";
import { withShortMessage } from "../short-errors.ts";
import { asText, bytesOfText, takeTextType } from "../grpc-web-text.ts";
import { type CheckMessage, wholeMessages, withoutLength } from "../../shared/connect-node/whole-messages.ts";
import { httpServerSettings, type SettingsOf, settingsWith } from "../../shared/settings.ts";
import { tlsUpTo } from "../../shared/tls.ts";
import { serveHttp2 } from "../../shared/http2/http2-server.ts";
import { serveHttp } from "../../shared/node-server/http-server.ts";
import { leastPieceBytes } from "../../shared/received-pieces.ts";
import { largeChunks, limitRest, unhurriedBody, wholeBody } from "../../shared/node-server/request-body.ts";
import { closeConnection, cutShort, writeNow } from "../../shared/node-server/http-listener.ts";
import { serverSettings } from "../libraries.ts";

// One Connect call on a request of Node.js, in either version of HTTP, for the methods that Connect's library calls.

type ServedRequest = IncomingMessage | Http2ServerRequest;
type ServedResponse = ServerResponse | Http2ServerResponse;

/** Closes the connection of an HTTP/1.1 response, in the middle of these bytes if given. */
function cutHttp1(response: ServerResponse, type: string | undefined, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) {
    closeConnection(response);
    return;
  }
  cutShort(response);
  if (!response.headersSent) {
    response.writeHead(200, { "content-type": type ?? "application/proto", "content-length": bytes.length + 1 });
  }
  response.write(bytes);
}

function cutHttp2({ stream }: Http2ServerResponse, type: string | undefined, bytes: Uint8Array | undefined): void {
  if (bytes !== undefined && !stream.headersSent && !stream.closed) {
    stream.respond({ ":status": 200, "content-type": type ?? "application/proto" });
  }
  cutStream(stream, bytes && firstHalfOf(() => bytes));
}

class ConnectCall implements IncomingCall {
  readonly metadata: Metadata;
  readonly connection: object | undefined;
  readonly #request: ServedRequest;
  readonly #response: ServedResponse;
  readonly #method: ImplementedMethod;

  constructor(request: ServedRequest, response: ServedResponse, method: ImplementedMethod) {
    this.#request = request;
    this.#response = response;
    this.#method = method;
    this.metadata = metadataIn(request.headers);
    this.connection = "stream" in request ? request.stream.session : request.socket;
  }

  // oxlint-disable-next-line class-methods-use-this -- a body carries every error
  fit(error: CallError): CallError {
    return error;
  }

  async cut(cut: ConnectionCut): Promise<void> {
    const response = this.#response;
    const bytes = this.#bytesOf(cut);
    const type = this.#request.headers["content-type"];
    if ("stream" in response) cutHttp2(response, type, bytes);
    else cutHttp1(response, type, bytes);
    const { socket } = this.#request;
    if (!socket.destroyed) await once(socket, "close");
  }

  /** The message that is cut, as on the wire; undefined for none, and for one that cannot be written. */
  #bytesOf({ partOf }: ConnectionCut): Uint8Array | undefined {
    if (partOf === undefined) return undefined;
    const { output, kind } = this.#method.operation;
    try {
      const bytes = toBinary(output, partOf);
      return kind === "unary" ? bytes : enveloped(bytes);
    } catch {
      return undefined;
    }
  }
}

/** Throws a CallError for JSON that the library would take too long to read. */
const checkJson: CheckMessage = (message) => {
  const excess = jsonExcess(message, libraryWeights);
  if (excess !== undefined) throw excess;
};

interface ServedMethod extends ImplementedMethod {
  readonly handler: UniversalHandler;
  /** For compressed messages in JSON, of which the judgement differs. Made when one comes. */
  readonly jsonHandler: () => UniversalHandler;
  readonly checkBinary: CheckMessage;
  readonly maxMessageBytes: number;
  readonly coding: string;
}

type Methods = ReadonlyMap<string, ServedMethod>;

/** The methods of a contract that are served at a path. */
interface Located extends ImplementedMethod {
  readonly path: string;
}

function methodsOf(service: Service, options: ServeOptions, coding: string): Methods {
  const { maxRequestMs } = options;
  const methods = service.contract.operations.map((operation) => {
    const path = methodPath(operation.method);
    return { path, operation, service, maxRequestMs };
  });
  return methodsBy(methods, service, options, coding);
}

function methodsBy(
  methods: readonly Located[],
  service: Service,
  { maxMessageBytes }: ServeOptions,
  coding: string,
): Methods {
  const options = { grpc: false, maxMessageBytes, coding };
  const handlers = handlersOf(service, methods, { ...options, checkOf: checkBinary });
  return new Map(
    methods.map((method, index) => {
      let jsonHandler: UniversalHandler | undefined;
      return [
        method.path,
        {
          ...method,
          handler: handlers[index] as UniversalHandler,
          jsonHandler: () =>
            (jsonHandler ??= handlersOf(service, [method], {
              ...options,
              checkOf: () => checkJson,
            })[0] as UniversalHandler),
          checkBinary: checkBinary(method.operation),
          maxMessageBytes,
          coding,
        },
      ];
    }),
  );
}

function refuse(error: CallError, status: number, response: ServedResponse): void {
  const { type, text } = writeError(error, status);
  noteError("stream" in response ? response.stream : response, error);
  // Both classes have this method.
  const either = response as ServerResponse;
  either.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) }).end(text);
}

/** Refuses a path without a method: over gRPC-Web with headers alone, as it has no errors in JSON. */
async function refusePath(
  path: string,
  service: Service,
  request: ServedRequest,
  response: ServedResponse,
): Promise<void> {
  request.resume();
  const type = request.headers["content-type"] ?? "";
  const paths = service.contract.operations.map(({ method }) => methodPath(method));
  const more = /^\/[\w.]+\/\w+$/.test(path) ? "" : ": gRPC's reflection lists those of this address";
  const error = await unknownName(service, `there is no method ${path}${more}`, path, paths);
  if (!type.startsWith("application/grpc-web")) {
    refuse(error, 404, response);
    return;
  }
  noteError("stream" in response ? response.stream : response, error);
  const headers = { "content-type": type, ...errorTrailers(statusOf(error), undefined) };
  (response as ServerResponse).writeHead(200, headers).end();
}

function isJson({ headers, url = "" }: ServedRequest): boolean {
  const type = headers["content-type"];
  return type === undefined ? /[?&]encoding=json(?:&|$)/.test(url) : /json/i.test(type);
}

/** The names of headers and of the parameter of GET that say how a request is compressed. */
function isCompressed({ headers, url = "" }: ServedRequest): boolean {
  const names = ["content-encoding", "connect-content-encoding", "grpc-encoding"];
  return names.some((name) => headers[name] !== undefined) || url.includes("compression=");
}

function piecesOf(request: ServedRequest, response: ServedResponse, method: ServedMethod): AsyncIterable<Uint8Array> {
  if ("stream" in request) return piecesUntilAnswer(request);
  if (streamsRequests(method.operation)) {
    return unhurriedBody(request, response as ServerResponse, method.maxRequestMs);
  }
  const isChunked = request.headers["transfer-encoding"] !== undefined;
  return isChunked ? largeChunks(request, response as ServerResponse, leastPieceBytes) : wholeBody(request);
}

/** The body, whose reader may stop early without closing the connection. */
function bodyOf(
  request: ServedRequest,
  response: ServedResponse,
  method: ServedMethod,
  isText: boolean,
): AsyncIterable<Uint8Array> {
  const sent = piecesOf(request, response, method);
  const pieces = isText ? bytesOfText(sent) : sent;
  const check = isJson(request) ? checkJson : method.checkBinary;
  return wholeMessages(pieces, { request, response, check, maxMessageBytes: method.maxMessageBytes });
}

/** The library answers a GET whose message is not in base64 as an internal error. */
function hasMalformedBase64({ method, url = "" }: ServedRequest): boolean {
  if (method !== "GET") return false;
  const query = new URLSearchParams(url.slice(url.indexOf("?") + 1));
  if (query.get("base64") !== "1") return false;
  try {
    base64Decode(query.get("message") ?? "");
    return false;
  } catch {
    return true;
  }
}

/** Over HTTP/1.1, the library receives what is left of a request before it answers, however long that takes. */
function isAnsweredByLibrary(request: ServedRequest): boolean {
  return "stream" in request || request.complete;
}

/** Answers a request that has not arrived completely. */
function writeBeforeEnd(
  { status, header, body }: UniversalServerResponse,
  signal: AbortSignal,
  response: ServerResponse,
): void {
  const headers = Object.fromEntries(header ?? []);
  writeNow({ signal }, { status, headers, body: body as AsyncIterable<Uint8Array>, cut: undefined }, response);
}

const internalStatus = 500;

async function answer(method: ServedMethod, request: ServedRequest, response: ServedResponse): Promise<void> {
  const isText = takeTextType(request.headers);
  const call = new ConnectCall(request, response, method);
  const received = receivedRequest(request, response, call, method.coding);
  withoutLength(received.header, method.maxMessageBytes);
  const handler = isCompressed(request) && isJson(request) ? method.jsonHandler() : method.handler;
  const made = await handler({ ...received, body: bodyOf(request, response, method, isText) });
  const short = made.status !== 200 || isJson(request) ? await withShortMessage(made) : made;
  const answered = isText ? asText(short) : short;
  if (answered.status === internalStatus && hasMalformedBase64(request)) {
    refuse(new CallError("INVALID_ARGUMENT", "the message in the query is not base64"), 400, response);
    return;
  }
  if (isAnsweredByLibrary(request)) {
    if (!("stream" in request)) limitRest(request, method.maxRequestMs);
    await universalResponseToNodeResponse(withoutMessage(answered, method.operation), response);
  } else writeBeforeEnd(answered, received.signal, response as ServerResponse);
}

/** Methods that are loaded with the first call of one. */
interface LazyMethods {
  readonly paths: readonly StandardMethod[];
  readonly load: () => Promise<Methods>;
}

interface ServedMethods {
  readonly service: Service;
  readonly own: Methods;
  readonly standard: LazyMethods;
}

function begin(method: ServedMethod, request: ServedRequest, response: ServedResponse): void {
  answer(method, request, response).catch(() => {
    // The caller is gone, or the request has an invalid host.
    if (!response.headersSent && !response.writableEnded)
      refuse(new CallError("INVALID_ARGUMENT", "the request has no valid host"), 400, response);
  });
}

function listenerOf(methods: () => ServedMethods) {
  return (request: ServedRequest, response: ServedResponse): void => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const { service, own, standard } = methods();
    const method = own.get(path);
    if (method !== undefined) begin(method, request, response);
    else if (standard.paths.some((known) => known.path === path)) {
      void standard.load().then((loaded) => begin(loaded.get(path) as ServedMethod, request, response));
    } else void refusePath(path, service, request, response);
  };
}

/** Refuses callers that the server does not answer, over HTTP/2. */
function refusing(
  judgeCaller: JudgeCaller,
  listener: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
) {
  return (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    const fault = judgeCaller(request, request.authority);
    if (fault === undefined) {
      listener(request, response);
      return;
    }
    request.resume();
    refuse(new CallError(fault.code, fault.message), fault.status, response);
  };
}

/** The settings of a server over HTTP/1.1, which refuses others. */
function ofHttp1(set: SettingsOf<typeof serverSettings>): ServeOptions["settings"] {
  return Object.fromEntries(httpServerSettings.map(({ name }) => [name, set[name]]));
}

/** Health checking and server reflection over Connect, of which tools expect what gRPC has. Loaded with their first call. */
function standardMethodsOf(service: Service, options: ServeOptions, stopping: AbortSignal): LazyMethods {
  const paths = standardMethods(service.contract);
  let loading: Promise<Methods> | undefined;
  const load = async (): Promise<Methods> => {
    const { standardAnswers } = await import("@roundtrip/styles/grpc/standard-answers");
    return methodsBy(standardAnswers(service, stopping), service, options, "identity");
  };
  return { paths, load: () => (loading ??= load()) };
}

export const serve: Serve = async (service, options) => {
  const set = settingsWith(serverSettings, options.settings);
  const stopping = new AbortController();
  const requestStreams = new Set<string>();
  const servedBy = (next: Service): ServedMethods => {
    const own = methodsOf(next, options, set.responseCompression);
    const standard = standardMethodsOf(next, options, stopping.signal);
    requestStreams.clear();
    for (const [path, { operation }] of own) if (streamsRequests(operation)) requestStreams.add(path);
    for (const method of standard.paths) if (streamsRequests(method)) requestStreams.add(method.path);
    return { service: next, own, standard };
  };
  let methods = servedBy(service);
  const listener = listenerOf(() => methods);
  const overHttp1 = (): Promise<RunningServer> =>
    serveHttp(
      (request: IncomingMessage, response: ServerResponse) => listener(request, response),
      { ...options, settings: ofHttp1(set) },
      writeError,
    );
  const overHttp2 = (): Promise<RunningServer> =>
    serveHttp2(
      { ...options, tls: tlsUpTo(options, set) },
      {
        set,
        requestStreams,
        lateRequest,
        exhaustedRequest,
        responseClass: CountedResponse as typeof Http2ServerResponse,
        attach: (server, judgeCaller) => server.on("request", refusing(judgeCaller, listener)),
      },
    );
  // A shared port has both versions of HTTP.
  if (options.sharedPort !== undefined) await overHttp2();
  const http = options.sharedPort === undefined && set.http === "2" ? await overHttp2() : await overHttp1();
  return {
    url: http.url,
    // oxlint-disable-next-line require-await -- all in one turn: no call comes between
    async replace(next) {
      methods = servedBy(next);
    },
    close: () => {
      stopping.abort();
      return http.close();
    },
  };
};
