// The handler of an operation, by what it streams.
import type { UntypedHandleCall } from "@grpc/grpc-js";
import type { Operation, Service } from "@roundtrip/contract";
import { bidiStreamHandler, clientStreamHandler, serverStreamHandler } from "./stream-handler.ts";
import { unaryHandler } from "./unary-handler.ts";

/**
 * Answers an operation by asking the service.
 * @param maxRequestMs how long each request of a stream of them may take to come
 */
export function handlerOf(service: Service, operation: Operation, maxRequestMs: number): UntypedHandleCall {
  switch (operation.kind) {
    case "unary":
      return unaryHandler(service, operation) as UntypedHandleCall;
    case "server_streaming":
      return serverStreamHandler(service, operation) as UntypedHandleCall;
    case "client_streaming":
      return clientStreamHandler(service, operation, maxRequestMs) as UntypedHandleCall;
    case "bidi_streaming":
      return bidiStreamHandler(service, operation) as UntypedHandleCall;
  }
}
