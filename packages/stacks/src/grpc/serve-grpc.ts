// The common part of gRPC servers on node:http2: finds the method of each call, and refuses requests that are no calls.
import { CallError, methodPath, type Service, streamsRequests } from "@roundtrip/contract";
import {
  acceptedEncodings,
  answerHeaders,
  errorTrailers,
  exhaustedRequest,
  isGrpc,
  lateRequest,
  type ServedMethod,
  standardMethods,
  statusOf,
  unknownMethod,
} from "@roundtrip/styles/grpc/server";
import type { Http2Server, IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { Serve, ServeOptions } from "../basics/stack.ts";
import { type Http2Serving, serveHttp2 } from "../shared/http2/http2-server.ts";
import { compressingServerSettings } from "./libraries.ts";
import type { JudgeCaller } from "../shared/callers.ts";
import { settingsWith } from "../shared/settings.ts";

// The methods of a server by path: those of its contract, and the standard ones, which are loaded with their first call.

interface ServedMethodsOptions {
  readonly maxRequestMs: number;
  /** Aborted when the server is about to stop: clients that watch its health are notified. */
  readonly stopping: AbortSignal;
}

class ServedMethods {
  readonly requestStreams: readonly string[];
  readonly #service: Service;
  readonly #own: ReadonlyMap<string, ServedMethod>;
  readonly #standardPaths: ReadonlySet<string>;
  readonly #load: () => Promise<ReadonlyMap<string, ServedMethod>>;
  #standard: Promise<ReadonlyMap<string, ServedMethod>> | undefined;

  constructor(service: Service, { maxRequestMs, stopping }: ServedMethodsOptions) {
    const own = service.contract.operations.map((operation) => {
      const path = methodPath(operation.method);
      return [path, { path, operation, service, maxRequestMs }] as const;
    });
    const standard = standardMethods(service.contract);
    this.#service = service;
    this.#own = new Map(own);
    this.#standardPaths = new Set(standard.map(({ path }) => path));
    this.#load = async () => {
      const { standardAnswers } = await import("@roundtrip/styles/grpc/standard-answers");
      return new Map(standardAnswers(service, stopping).map((method) => [method.path, method]));
    };
    const all = [...own.map(([path, { operation }]) => ({ path, kind: operation.kind })), ...standard];
    this.requestStreams = all.filter(streamsRequests).map(({ path }) => path);
  }

  /** Undefined for an unknown path. */
  get(path: string): ServedMethod | Promise<ServedMethod | undefined> | undefined {
    const own = this.#own.get(path);
    if (own !== undefined || !this.#standardPaths.has(path)) return own;
    return (this.#standard ??= this.#load()).then((methods) => methods.get(path));
  }

  /** The error for a path without a method. */
  errorFor(path: string): Promise<CallError> {
    const paths = [...this.#own.keys(), ...this.#standardPaths];
    return unknownMethod(this.#service, path, paths);
  }
}

export const withoutBody = { endStream: true } as const;
export const refusalHeaders = { ...answerHeaders, "grpc-accept-encoding": acceptedEncodings };

/** Answers with headers only. What still comes of the request is received and discarded. */
export function answerHeadersOnly(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders): void {
  stream.resume();
  if (!stream.closed) stream.respond(headers, withoutBody);
}

/** An answer without a body ("Trailers-Only"). */
export function refusal(error: CallError): OutgoingHttpHeaders {
  return { ...refusalHeaders, ...errorTrailers(statusOf(error), undefined) };
}

/** The answer to a request that is not gRPC's; undefined for calls. */
function otherProtocol(headers: IncomingHttpHeaders): OutgoingHttpHeaders | undefined {
  if (headers[":method"] !== "POST") return { ":status": 405, allow: "POST" };
  return isGrpc(headers["content-type"]) ? undefined : { ":status": 415 };
}

/** Calls `begin` with the method of a call: at once, or when a standard service is loaded. Answers all other requests. */
type ReceiveCall = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  begin: (method: ServedMethod) => void,
) => void;

export interface GrpcOptions extends ServeOptions {
  /** The compression of answers, or `identity`. */
  readonly coding: string;
}

interface GrpcLibrary {
  /** Adds listeners to the server, which pass each request to `receive`. */
  readonly attach: (server: Http2Server, receive: ReceiveCall, options: GrpcOptions) => void;
  /** Replaces the class of responses, for libraries on Node.js's compatibility layer. */
  readonly responseClass?: Http2Serving["responseClass"];
}

/** The answer to a caller that the server does not answer, as gRPC has it: its status is a trailer. */
function refusedCaller(judgeCaller: JudgeCaller, headers: IncomingHttpHeaders): OutgoingHttpHeaders | undefined {
  const { ":method": method, ":authority": authority, host } = headers;
  const fault = judgeCaller({ method, headers }, authority ?? host);
  return fault === undefined ? undefined : refusal(new CallError(fault.code, fault.message));
}

function receiveBy(methods: () => ServedMethods, judgeCaller: JudgeCaller): ReceiveCall {
  return (stream, headers, begin) => {
    const beginWith = (method: ServedMethod | undefined): void => {
      if (method === undefined) {
        const refuse = (error: CallError): void => answerHeadersOnly(stream, refusal(error));
        void methods().errorFor(String(headers[":path"])).then(refuse);
        // Its caller may have reset it meanwhile.
      } else if (!stream.closed) begin(method);
    };
    // The call learns of it by "close".
    stream.on("error", () => undefined);
    const other = otherProtocol(headers) ?? refusedCaller(judgeCaller, headers);
    const method = methods().get(String(headers[":path"]));
    if (other !== undefined) answerHeadersOnly(stream, other);
    else if (method instanceof Promise) void method.then(beginWith);
    else beginWith(method);
  };
}

/** Serves gRPC over HTTP/2 with a library on node:http2. */
export function grpcBy({ attach, responseClass }: GrpcLibrary): Serve {
  return async (service, options) => {
    const set = settingsWith(compressingServerSettings, options.settings);
    const stopping = new AbortController();
    const requestStreams = new Set<string>();
    const methodsOf = (next: Service): ServedMethods => {
      const { maxRequestMs } = options;
      const served = new ServedMethods(next, { maxRequestMs, stopping: stopping.signal });
      requestStreams.clear();
      for (const path of served.requestStreams) requestStreams.add(path);
      return served;
    };
    let methods = methodsOf(service);
    const http = await serveHttp2(options, {
      set,
      requestStreams,
      lateRequest,
      exhaustedRequest,
      responseClass,
      attach: (server, judgeCaller) =>
        attach(
          server,
          receiveBy(() => methods, judgeCaller),
          { ...options, coding: set.responseCompression },
        ),
    });
    return {
      url: http.url,
      // oxlint-disable-next-line require-await -- all in one turn: no call comes between
      async replace(next) {
        methods = methodsOf(next);
      },
      close: () => {
        stopping.abort();
        return http.close();
      },
    };
  };
}
