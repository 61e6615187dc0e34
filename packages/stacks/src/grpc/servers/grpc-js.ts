// Serves a contract over gRPC with grpc-js.
import * as grpc from "@grpc/grpc-js";
import type {
  sendUnaryData,
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  UntypedHandleCall,
} from "@grpc/grpc-js";
import { methodPath, type Service, streamsRequests } from "@roundtrip/contract";
import {
  answerBidiStream,
  answerClientStream,
  answerServerStream,
  answerUnary,
  exhaustedRequest,
  lateRequest,
  type ServedMethod,
  type StandardMethod,
  standardMethods,
} from "@roundtrip/styles/grpc/server";
import { callerJudge, type JudgeCaller } from "../../shared/callers.ts";
import { cannotListen, hostPort, listeningUrl } from "../../shared/listening.ts";
import { cutLongHeaders } from "../../shared/short-headers.ts";
import type { Serve, ServeOptions } from "../../basics/stack.ts";
import { Http2Sessions } from "../../shared/http2/http2-server.ts";
import { grpcJsServerSettingsWith, keepAliveOptions } from "../libraries.ts";
import { bytesMethod } from "../grpc-js/metadata.ts";
import {
  AnswerStreamCall,
  hasRequest,
  http2ServersOf,
  IncomingRequests,
  SingleAnswerCall,
} from "../grpc-js/server-calls.ts";

type Bytes = Uint8Array;

interface AnsweredMethod extends Pick<ServedMethod["operation"], "kind"> {
  readonly path: string;
  readonly handler: UntypedHandleCall;
}

function handlerOf(method: ServedMethod): UntypedHandleCall {
  switch (method.operation.kind) {
    case "unary":
      return (call: ServerUnaryCall<Bytes, Bytes>, callback: sendUnaryData<Bytes>) => {
        hasRequest(call);
        answerUnary(method, call.request, new SingleAnswerCall(call, callback));
      };
    case "client_streaming":
      return (call: ServerReadableStream<Bytes, Bytes>, callback: sendUnaryData<Bytes>) =>
        answerClientStream(method, new IncomingRequests(call), new SingleAnswerCall(call, callback));
    case "server_streaming":
      return (call: ServerWritableStream<Bytes, Bytes>) => {
        hasRequest(call);
        answerServerStream(method, call.request, new AnswerStreamCall(call));
      };
    case "bidi_streaming":
      return (call: ServerDuplexStream<Bytes, Bytes>) =>
        answerBidiStream(method, new IncomingRequests(call), new AnswerStreamCall(call));
  }
}

// Health checking and server reflection on a grpc-js server, loaded with their first call.

/** @param stopping aborted when the server is about to stop: it notifies clients that watch its health. */
function standardServices(
  methods: readonly StandardMethod[],
  service: Service,
  stopping: AbortSignal,
): readonly AnsweredMethod[] {
  let handlers: Promise<ReadonlyMap<string, UntypedHandleCall>> | undefined;
  async function load(): Promise<ReadonlyMap<string, UntypedHandleCall>> {
    const { standardAnswers } = await import("@roundtrip/styles/grpc/standard-answers");
    return new Map(standardAnswers(service, stopping).map((method) => [method.path, handlerOf(method)]));
  }
  return methods.map(({ path, kind }) => ({
    path,
    kind,
    handler: async (...call: readonly unknown[]): Promise<void> => {
      const answer = (await (handlers ??= load())).get(path) as (...args: readonly unknown[]) => void;
      answer(...call);
    },
  }));
}

// Callers get errors anyway; grpc-js repeats them on stderr only if GRPC_VERBOSITY asks for that.
if ((process.env["GRPC_NODE_VERBOSITY"] ?? process.env["GRPC_VERBOSITY"]) === undefined) {
  grpc.setLogVerbosity(grpc.logVerbosity.NONE);
}

function operationsOf(service: Service, maxRequestMs: number): readonly AnsweredMethod[] {
  return service.contract.operations.map((operation) => {
    const path = methodPath(operation.method);
    return { path, kind: operation.kind, handler: handlerOf({ path, operation, service, maxRequestMs }) };
  });
}

type GrpcJsHandler = (call: ServerUnaryCall<Bytes, Bytes>, callback: sendUnaryData<Bytes> | undefined) => void;

const callOfProgram = { method: "POST", headers: {} } as const;

/** The request of a call, with what only browsers send. */
function callersRequest({ metadata }: ServerUnaryCall<Bytes, Bytes>): Parameters<JudgeCaller>[0] {
  const origin = metadata.get("origin")[0] as string | undefined;
  const site = metadata.get("sec-fetch-site")[0] as string | undefined;
  if (origin === undefined && site === undefined) return callOfProgram;
  return { method: "POST", headers: { origin, "sec-fetch-site": site } };
}

/** The same handler, but not for callers that the server does not answer. */
function refusing(judgeCaller: JudgeCaller, handler: UntypedHandleCall): UntypedHandleCall {
  const handle: GrpcJsHandler = (call, callback) => {
    const fault = judgeCaller(callersRequest(call), call.getHost());
    if (fault === undefined) {
      (handler as GrpcJsHandler)(call, callback);
      return;
    }
    const refused = { code: grpc.status[fault.code], details: fault.message };
    if (callback === undefined) call.emit("error", refused);
    else callback(refused);
  };
  return handle as UntypedHandleCall;
}

/** The headers that the library repeats in errors. */
const repeatedHeaders = [":path", "grpc-timeout", "grpc-encoding"];

function credentialsOf({ tls }: ServeOptions): grpc.ServerCredentials {
  if (tls === undefined) return grpc.ServerCredentials.createInsecure();
  const pair = { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) };
  return grpc.ServerCredentials.createSsl(null, [pair]);
}

function listen(server: grpc.Server, options: ServeOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(hostPort(options), credentialsOf(options), (error, port) => {
      if (error === null) resolve(port);
      else reject(cannotListen(options, error));
    });
  });
}

function shutDown(server: grpc.Server, sessions: Http2Sessions, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      // `forceShutdown` ends sessions only with channelz enabled.
      sessions.destroy();
      server.forceShutdown();
      // Remaining connections do not speak HTTP/2 yet; do not wait for them.
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export const serve: Serve = async (service, options) => {
  if (options.sharedPort !== undefined) throw new Error("grpc-js has servers of its own: it cannot share a port");
  const set = grpcJsServerSettingsWith(options.settings);
  const server = new grpc.Server({
    "grpc.max_receive_message_length": options.maxMessageBytes,
    // The receiver limits responses.
    "grpc.max_send_message_length": -1,
    // Each call of a connection may buffer a request, so their number needs a limit.
    "grpc.max_concurrent_streams": set.maxConcurrentStreams,
    ...keepAliveOptions(set),
    // Disables statistics that nothing reads.
    "grpc.enable_channelz": 0,
  });
  // The address is known once the server is bound.
  const bound = { address: () => [...http2ServersOf(server)][0]?.address() ?? null };
  const judgeCaller = callerJudge(bound, options, set.allowedHosts);
  const stopping = new AbortController();
  const requestStreams = new Set<string>();
  const methodsOf = (next: Service): readonly AnsweredMethod[] => [
    ...operationsOf(next, options.maxRequestMs),
    ...standardServices(standardMethods(next.contract), next, stopping.signal),
  ];
  const add = (added: readonly AnsweredMethod[]): void => {
    for (const method of added) {
      const { path, kind, handler } = method;
      const [, , name = ""] = path.split("/");
      const answering = refusing(judgeCaller, handler);
      server.addService({ [name]: bytesMethod(path, kind) }, Object.fromEntries([[name, answering]]));
      if (streamsRequests(method)) requestStreams.add(path);
    }
  };
  let methods = methodsOf(service);
  add(methods);
  const port = await listen(server, options);
  for (const http2 of http2ServersOf(server)) {
    http2.prependListener("stream", (_stream, headers) => cutLongHeaders(headers, repeatedHeaders));
  }
  const sessions = new Http2Sessions(http2ServersOf(server), {
    ...options,
    ...set,
    faultsOf: () => ({ requestStreams, lateRequest, exhaustedRequest }),
    isEager: true,
  });
  let closing: Promise<void> | undefined;
  return {
    url: listeningUrl(options, port),
    // oxlint-disable-next-line require-await -- all in one turn: no call comes between
    async replace(next) {
      // What cannot be served throws here, while the server has its methods.
      const added = methodsOf(next);
      requestStreams.clear();
      for (const { path } of methods) server.unregister(path);
      methods = added;
      add(added);
    },
    close: () => {
      stopping.abort();
      return (closing ??= shutDown(server, sessions, options.shutdownGraceMs));
    },
  };
};
