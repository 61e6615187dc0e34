// Serves a contract over Connect and gRPC-Web with Connect's router and its adapter for Node.js, over HTTP/1.1 or HTTP/2.
import { createContextValues, createConnectRouter } from "@connectrpc/connect";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import type { UniversalHandler, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { CallError, type Service } from "@roundtrip/contract";
import { lateRequest, pathOf, streamsRequests, writeError } from "@roundtrip/styles/connect/server";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import type { RunningServer, Serve, ServeOptions } from "../../../basics/stack.ts";
import { readCompressions } from "../../../shared/connect-node/compressions.ts";
import { CountedResponse } from "../../../shared/connect-node/counted-response.ts";
import { callKey, implementationOf, type ImplementedMethod } from "../../../shared/connect-node/implementation.ts";
import { httpServerSettings } from "../../../shared/http-settings.ts";
import { serveHttp2 } from "../../../shared/http2/http2-server.ts";
import { serveHttp } from "../../../shared/node-server/http-server.ts";
import { limitRest, unhurriedBody, wholeBody } from "../../../shared/node-server/unhurried-body.ts";
import { writeNow } from "../../../shared/node-server/write-answer.ts";
import { settingsWith, type SettingsOf } from "../../../shared/settings.ts";
import { ConnectCall, type ServedRequest, type ServedResponse } from "./connect-call.ts";
import { serverSettings } from "./server-settings.ts";

/** Above every message: answers are not compressed, as by the other servers. */
const neverBytes = 0xff_ff_ff_ff;

interface ServedMethod extends ImplementedMethod {
  readonly handler: UniversalHandler;
}

type Methods = ReadonlyMap<string, ServedMethod>;

function methodsOf(service: Service, { maxMessageBytes, maxRequestMs }: ServeOptions): Methods {
  const router = createConnectRouter({
    grpc: false,
    acceptCompression: [...readCompressions],
    compressMinBytes: neverBytes,
    readMaxBytes: maxMessageBytes,
    jsonOptions: { registry: service.contract.registry },
  });
  const entries = service.contract.operations.map((operation, index) => {
    const method = { operation, service, maxRequestMs };
    router.rpc(operation.method, implementationOf(method) as never);
    return [pathOf(operation), { ...method, handler: router.handlers[index] as UniversalHandler }] as const;
  });
  return new Map(entries);
}

function refuse(error: CallError, status: number, response: ServedResponse): void {
  const { type, text } = writeError(error, status);
  // Both classes have this method.
  const either = response as ServerResponse;
  either.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) }).end(text);
}

/** Refuses a path without a method. gRPC-Web takes the code from the status, and has no errors in JSON. */
function refusePath(path: string, request: ServedRequest, response: ServedResponse): void {
  request.resume();
  const isWeb = request.headers["content-type"]?.startsWith("application/grpc-web") === true;
  if (isWeb) (response as ServerResponse).writeHead(404, { "content-length": 0 }).end();
  else refuse(new CallError("UNIMPLEMENTED", `there is no method ${path}`), 404, response);
}

/** The body, whose reader may stop early without closing the connection. */
function bodyOf(request: ServedRequest, response: ServedResponse, method: ServedMethod): AsyncIterable<Uint8Array> {
  if ("stream" in request) return wholeBody(request);
  return streamsRequests(method.operation)
    ? unhurriedBody(request, response as ServerResponse, method.maxRequestMs)
    : wholeBody(request);
}

/**
 * Over HTTP/1.1, the library receives what is left of a request before it answers, however long that takes. With TLS it still does: a connection that is
 * answered earlier would stay open until its limit.
 */
function isAnsweredByLibrary(request: ServedRequest): boolean {
  return "stream" in request || request.complete || "encrypted" in request.socket;
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

async function answer(method: ServedMethod, request: ServedRequest, response: ServedResponse): Promise<void> {
  const call = new ConnectCall(request, response, method);
  const contextValues = createContextValues().set(callKey, call);
  const received = universalRequestFromNodeRequest(request, response, undefined, contextValues);
  const answered = await method.handler({ ...received, body: bodyOf(request, response, method) });
  if (isAnsweredByLibrary(request)) {
    if (!("stream" in request)) limitRest(request, method.maxRequestMs);
    await universalResponseToNodeResponse(answered, response);
  } else writeBeforeEnd(answered, received.signal, response as ServerResponse);
}

/** Answers requests to these methods. */
function listenerOf(methods: () => Methods) {
  return (request: ServedRequest, response: ServedResponse): void => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const method = methods().get(path);
    if (method === undefined) {
      refusePath(path, request, response);
      return;
    }
    answer(method, request, response).catch(() => {
      // The caller is gone, or the request has an invalid host.
      if (!response.headersSent && !response.writableEnded)
        refuse(new CallError("INVALID_ARGUMENT", "the request has no valid host"), 400, response);
    });
  };
}

/** The settings of a server over HTTP/1.1, which refuses others. */
function ofHttp1(set: SettingsOf<typeof serverSettings>): ServeOptions["settings"] {
  return Object.fromEntries(httpServerSettings.map(({ name }) => [name, set[name]]));
}

/** The paths whose requests are streams. */
function requestStreamsOf(methods: Methods): ReadonlySet<string> {
  return new Set([...methods].flatMap(([path, { operation }]) => (streamsRequests(operation) ? [path] : [])));
}

export const serve: Serve = async (service, options) => {
  const set = settingsWith(serverSettings, options.settings);
  let methods = methodsOf(service, options);
  const listener = listenerOf(() => methods);
  const http: RunningServer =
    set.http === "1.1"
      ? await serveHttp(
          (request: IncomingMessage, response: ServerResponse) => listener(request, response),
          { ...options, settings: ofHttp1(set) },
          writeError,
        )
      : await serveHttp2(options, {
          set,
          requestStreams: requestStreamsOf(methods),
          lateRequest,
          responseClass: CountedResponse as typeof Http2ServerResponse,
          attach: (server) => server.on("request", listener),
        });
  return {
    url: http.url,
    // oxlint-disable-next-line require-await -- all in one turn: no call comes between
    async replace(next) {
      methods = methodsOf(next, options);
    },
    close: () => http.close(),
  };
};
