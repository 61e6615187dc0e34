// Serves a service over gRPC: every operation of the contract becomes a method of its service.
import * as grpc from "@grpc/grpc-js";
import type { Service } from "@roundtrip/contract";
import { hostPort } from "../host-and-port.ts";
import { cannotListen, listeningUrl } from "../listening.ts";
import type { Serve, ServeOptions } from "../stack.ts";
import { handlerOf } from "./calls/handler-of.ts";
import { Http2Sessions } from "./connections/http2-sessions.ts";
import { methodDefinition, pathOf } from "./calls/method-definition.ts";
import { grpcSettings, keepAliveOptions } from "./settings.ts";
import { addStandardServices, standardRequestStreams } from "./standard/standard-services.ts";

// What goes wrong reaches the caller as an error; grpc-js repeats it on stderr only for those who ask.
if ((process.env["GRPC_NODE_VERBOSITY"] ?? process.env["GRPC_VERBOSITY"]) === undefined) {
  grpc.setLogVerbosity(grpc.logVerbosity.NONE);
}

/** Adds the methods of a contract, and gives their paths. */
function addOperations(server: grpc.Server, service: Service, maxRequestMs: number): readonly string[] {
  for (const operation of service.contract.operations) {
    const { name } = operation.method;
    server.addService({ [name]: methodDefinition(operation) }, { [name]: handlerOf(service, operation, maxRequestMs) });
  }
  return service.contract.operations.map((operation) => pathOf(operation));
}

/** The paths of methods that take a stream of requests. */
function requestStreamsOf({ contract }: Service): readonly string[] {
  const streaming = contract.operations.filter(({ kind }) => kind === "client_streaming" || kind === "bidi_streaming");
  return [...streaming.map((operation) => pathOf(operation)), ...standardRequestStreams];
}

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
      sessions.destroy();
      server.forceShutdown();
      // What is still connected by now does not even speak HTTP/2; nothing waits for it.
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export const serve: Serve = async (service, options) => {
  const set = grpcSettings(options.settings);
  const server = new grpc.Server({
    "grpc.max_receive_message_length": options.maxMessageBytes,
    // Responses are limited by who receives them.
    "grpc.max_send_message_length": -1,
    // One connection's calls hold as many requests in memory: nobody gets to open them without end.
    "grpc.max_concurrent_streams": set.maxConcurrentStreams,
    ...keepAliveOptions(set),
    // Books for a debugging service that is not served.
    "grpc.enable_channelz": 0,
  });
  const stopping = new AbortController();
  const requestStreams = new Set<string>();
  const answerBy = (next: Service): readonly string[] => {
    for (const path of requestStreamsOf(next)) requestStreams.add(path);
    return [
      ...addOperations(server, next, options.maxRequestMs),
      ...addStandardServices(server, next, stopping.signal),
    ];
  };
  let paths = answerBy(service);
  const port = await listen(server, options);
  const sessions = new Http2Sessions(server, { ...options, ...set, requestStreams });
  let closing: Promise<void> | undefined;
  return {
    url: listeningUrl(options, port),
    // oxlint-disable-next-line require-await -- all in one turn: no call comes between
    async replace(next) {
      requestStreams.clear();
      for (const path of paths) server.unregister(path);
      paths = answerBy(next);
    },
    close: () => {
      stopping.abort();
      return (closing ??= shutDown(server, sessions, options.shutdownGraceMs));
    },
  };
};
