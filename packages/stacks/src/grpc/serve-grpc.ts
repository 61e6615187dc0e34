// The common part of gRPC servers on node:http2: finds the method of each call, and refuses requests that are no calls.
import { CallError, type Service } from "@roundtrip/contract";
import {
  acceptedEncodings,
  answerHeaders,
  errorTrailers,
  isGrpc,
  lateRequest,
  statusOf,
  type ServedMethod,
} from "@roundtrip/styles/grpc/server";
import type { Http2Server, IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { Serve, ServeOptions } from "../basics/stack.ts";
import { type Http2Serving, serveHttp2 } from "../shared/http2/http2-server.ts";
import { http2ServerSettings } from "../shared/http2/http2-settings.ts";
import { settingsWith } from "../shared/settings.ts";
import { ServedMethods } from "./served-methods.ts";

const withoutBody = { endStream: true } as const;
const refusalHeaders = { ...answerHeaders, "grpc-accept-encoding": acceptedEncodings };

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
export type ReceiveCall = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  begin: (method: ServedMethod) => void,
) => void;

/** A library that answers calls. */
export interface GrpcLibrary {
  /** Adds listeners to the server, which pass each request to `receive`. */
  readonly attach: (server: Http2Server, receive: ReceiveCall, options: ServeOptions) => void;
  /** Replaces the class of responses, for libraries on Node.js's compatibility layer. */
  readonly responseClass?: Http2Serving["responseClass"];
}

function receiveBy(methods: () => ServedMethods): ReceiveCall {
  return (stream, headers, begin) => {
    const beginWith = (method: ServedMethod | undefined): void => {
      if (method === undefined) {
        const error = new CallError("UNIMPLEMENTED", `there is no method ${headers[":path"]}`);
        answerHeadersOnly(stream, refusal(error));
        // Its caller may have reset it meanwhile.
      } else if (!stream.closed) begin(method);
    };
    // The call learns of it by "close".
    stream.on("error", () => undefined);
    const other = otherProtocol(headers);
    const method = methods().get(String(headers[":path"]));
    if (other !== undefined) answerHeadersOnly(stream, other);
    else if (method instanceof Promise) void method.then(beginWith);
    else beginWith(method);
  };
}

/** Serves gRPC over HTTP/2 with a library on node:http2. */
export function grpcBy({ attach, responseClass }: GrpcLibrary): Serve {
  return async (service, options) => {
    const set = settingsWith(http2ServerSettings, options.settings);
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
    const receive = receiveBy(() => methods);
    const http = await serveHttp2(options, {
      set,
      requestStreams,
      lateRequest,
      responseClass,
      attach: (server) => attach(server, receive, options),
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
