// Answers HTTP/1.1 requests of browsers in Connect and gRPC-Web, with Connect's own library.
import type { Message } from "@bufbuild/protobuf";
import {
  createContextKey,
  createContextValues,
  type ConnectRouter,
  type HandlerContext,
  type Code,
  ConnectError,
} from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import {
  ConnectionCut,
  only,
  onlyAnswer,
  ownMetadata,
  ServerCall,
  type Operation,
  type Service,
  CallError,
  canonicalCodes,
  type ErrorDetails,
} from "@roundtrip/contract";
import type { ServeOptions } from "@roundtrip/stacks";
import type { IncomingMessage, RequestListener } from "node:http";
import { BadRequestSchema, ErrorInfoSchema } from "@roundtrip/contract/gen/google/rpc/error_details_pb";

function detailsOf({ reason, domain, metadata, violations }: ErrorDetails): ConnectError["details"] {
  const hasInfo = reason !== "" || domain !== "" || Object.keys(metadata).length > 0;
  return [
    ...(hasInfo ? [{ desc: ErrorInfoSchema, value: { reason, domain, metadata: { ...metadata } } }] : []),
    ...(violations.length > 0 ? [{ desc: BadRequestSchema, value: { fieldViolations: [...violations] } }] : []),
  ];
}

/** Converts any thrown error, with the metadata that the handler sends. Connect's codes are gRPC's. */
function connectErrorOf(thrown: unknown, call: ServerCall): ConnectError {
  const error = CallError.from(thrown);
  const code = canonicalCodes[error.code].grpc as unknown as Code;
  const connectError = new ConnectError(error.message, code, [...(call.metadataToSend() ?? [])]);
  connectError.details = detailsOf(error.details);
  return connectError;
}

type Socket = Pick<IncomingMessage["socket"], "destroy">;

/** The connection of a call. */
const socketKey = createContextKey<Socket | undefined>(undefined);

/** The server's side of a call. */
function callOf({ timeoutMs, requestHeader, signal }: HandlerContext): ServerCall {
  const call = new ServerCall(timeoutMs(), ownMetadata(requestHeader));
  signal.addEventListener("abort", () => call.cancel(), { once: true });
  return call;
}

function sendMetadata(call: ServerCall, { responseHeader }: HandlerContext): void {
  for (const [name, value] of call.metadataToSend() ?? []) responseHeader.set(name, value);
}

/** Throws the error of a call as Connect's library expects it. */
function fail(thrown: unknown, call: ServerCall, { values }: HandlerContext): never {
  // The library decides what it sends before the cut: here nothing, or the messages of a stream so far.
  if (thrown instanceof ConnectionCut) values.get(socketKey)?.destroy();
  throw connectErrorOf(thrown, call);
}

function unary(service: Service, operation: Operation) {
  return async (request: Message, context: HandlerContext): Promise<Message> => {
    const call = callOf(context);
    try {
      const answer = await service.call(operation, request, call);
      sendMetadata(call, context);
      return answer;
    } catch (thrown) {
      return fail(thrown, call, context);
    } finally {
      call.finish();
    }
  };
}

async function* answers(
  service: Service,
  operation: Operation,
  requests: AsyncIterable<Message>,
  context: HandlerContext,
): AsyncGenerator<Message> {
  const call = callOf(context);
  let isBegun = false;
  try {
    for await (const answer of service.stream(operation, requests, call)) {
      if (!isBegun) sendMetadata(call, context);
      isBegun = true;
      yield answer;
    }
    if (!isBegun) sendMetadata(call, context);
  } catch (thrown) {
    fail(thrown, call, context);
  } finally {
    call.finish();
  }
}

/** The implementation of an operation for Connect's library, by what it streams. */
function implementationOf(service: Service, operation: Operation): unknown {
  switch (operation.kind) {
    case "unary":
      return unary(service, operation);
    case "server_streaming":
      return (request: Message, context: HandlerContext) => answers(service, operation, only(request), context);
    case "client_streaming":
      return (requests: AsyncIterable<Message>, context: HandlerContext) =>
        onlyAnswer(operation, answers(service, operation, requests, context));
    case "bidi_streaming":
      return (requests: AsyncIterable<Message>, context: HandlerContext) =>
        answers(service, operation, requests, context);
  }
}

/** Answers at `/package.Service/Method`. Over HTTP/1.1, bidirectional streams send all requests before the answers. */
export function connectListener(service: Service, { maxMessageBytes }: ServeOptions): RequestListener {
  return connectNodeAdapter({
    routes: (router: ConnectRouter) => {
      for (const operation of service.contract.operations) {
        router.rpc(operation.method, implementationOf(service, operation) as never);
      }
    },
    // gRPC itself needs HTTP/2, and has its own server.
    grpc: false,
    readMaxBytes: maxMessageBytes,
    jsonOptions: { registry: service.contract.registry },
    contextValues: ({ socket }) => createContextValues().set(socketKey, socket),
  });
}
