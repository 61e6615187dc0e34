// The gRPC client on grpc-js.
import { serverUnavailable, noTogether } from "@roundtrip/styles/client";
import { detailsTrailer, errorInDetails, limitations } from "@roundtrip/styles/grpc/client";
import * as grpc from "@grpc/grpc-js";
import {
  type Client,
  type ClientDuplexStream,
  InterceptingCall,
  type Interceptor,
  type ServiceError,
} from "@grpc/grpc-js";
import {
  callerCancelled,
  CallError,
  type CallOptions,
  codeFromGrpc,
  countedAnswers,
  deadlineExceeded,
  endlessMs,
  type Invoke,
  type InvokeStream,
  type Operation,
  type Requests,
  requestToBinary,
  responseFromBinary,
  stoppable,
  methodPath,
} from "@roundtrip/contract";
import type { Message } from "@bufbuild/protobuf";
import type { Connect } from "../../basics/stack.ts";
import { Channels } from "../grpc-js/channels.ts";
import { answerMetadataOf, asBytes, bytesMethod, grpcMetadataOf } from "../grpc-js/metadata.ts";
import { requestBytes, sendAll } from "../streams.ts";

// Metadata of calls of every kind: what they send and receive.

const noMetadata = new grpc.Metadata();
const noOptions = {};

/** Throws INVALID_ARGUMENT for metadata that some style cannot carry. */
function metadataToSend({ metadata }: CallOptions): grpc.Metadata {
  return metadata === undefined ? noMetadata : grpcMetadataOf(metadata);
}

type TimedOptions = grpc.CallOptions & {
  /** Milliseconds since 1970. */
  readonly deadline?: number;
};

function grpcOptionsOf({ timeoutMs }: CallOptions): TimedOptions {
  return timeoutMs !== undefined && timeoutMs < endlessMs ? { deadline: Date.now() + timeoutMs } : noOptions;
}

/** Calls `onMetadata` once: with the metadata of the answer or, without an answer, of the server's error. */
class AnswerMetadata {
  #onMetadata: CallOptions["onMetadata"];

  constructor({ onMetadata }: CallOptions) {
    this.#onMetadata = onMetadata;
  }

  take(metadata: grpc.Metadata): void {
    this.#onMetadata?.(answerMetadataOf(metadata));
    this.#onMetadata = undefined;
  }

  /** A server's error has at least a content type; an error of grpc-js itself has no metadata. */
  takeError({ metadata }: grpc.ServiceError): void {
    if (this.#onMetadata !== undefined && Object.keys(metadata.toJSON()).length > 0) this.take(metadata);
  }
}

// Maps errors of the grpc-js client: the server's status, or an error of the library itself.

function errorInTrailers(error: ServiceError): CallError | undefined {
  const [bytes] = error.metadata.get(detailsTrailer);
  return bytes instanceof Buffer ? errorInDetails(asBytes(bytes), error) : undefined;
}

const noConnection =
  /^No connection established\. Last error: (?:Error: )?(.*?)(?: \([^)]*\))?\. Resolution note: .*$/s;
const connectionLost =
  /^(?:No connection established|Connection dropped|Name resolution failed|(?:read|write) E[A-Z]+)/;

/** What the error of a call depends on, besides the error of grpc-js. */
interface FailedCall {
  /** The address of the server. */
  readonly target: string;
  /** Milliseconds since 1970; undefined without a deadline. */
  readonly deadline: number | undefined;
}

/** Maps errors of grpc-js that every stack words alike; undefined for all others. */
function ownError({ details }: ServiceError, { target, deadline }: FailedCall): CallError | undefined {
  if (details.startsWith("Deadline exceeded")) return deadlineExceeded();
  // A server may end a call with RST_STREAM when its deadline passes, and be faster than the timer here. grpc-go does.
  if (details === "Call cancelled" && deadline !== undefined && Date.now() >= deadline) return deadlineExceeded();
  if (details === "Cancelled on client") return callerCancelled();
  const [, why] = noConnection.exec(details) ?? [];
  if (why !== undefined) return serverUnavailable(target, why);
  return connectionLost.test(details) ? serverUnavailable(target, details) : undefined;
}

/** The error of a failed call: the server's code, message and details if it sent a CallError. */
function callErrorOf(error: ServiceError, call: FailedCall): CallError {
  return (
    errorInTrailers(error) ??
    ownError(error, call) ??
    new CallError(codeFromGrpc(error.code), error.details, {}, { cause: error })
  );
}

type Call = ClientDuplexStream<Uint8Array, Uint8Array>;

interface OpenCall {
  readonly call: Call;
  readonly channel: Client;
  /** Milliseconds since 1970; undefined without a deadline. */
  readonly deadline: number | undefined;
}

/** Opens the call. A stream of one message is a stream on the wire too, so that all kinds use the same code. */
function open(operation: Operation, channels: Channels, callOptions: CallOptions): OpenCall {
  const { path, requestSerialize, responseDeserialize } = bytesMethod(methodPath(operation.method), operation.kind);
  const metadata = metadataToSend(callOptions);
  const options = grpcOptionsOf(callOptions);
  const channel = channels.begin();
  const call = channel.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata, options);
  return { call, channel, deadline: options.deadline };
}

async function* answersOf(
  operation: Operation,
  channels: Channels,
  requests: Requests,
  callOptions: CallOptions,
): AsyncGenerator<Message, void, undefined> {
  const { signal } = callOptions;
  if (signal?.aborted === true) throw callerCancelled();
  const { call, channel, deadline } = open(operation, channels, callOptions);
  const answerMetadata = new AnswerMetadata(callOptions);
  const ended = new AbortController();
  const cancel = (): void => call.cancel();
  let fault: CallError | undefined;
  signal?.addEventListener("abort", cancel);
  call.once("metadata", (metadata) => answerMetadata.take(metadata));
  // Errors are handled where answers are read. A cancelled call may emit one more after that.
  call.on("error", () => undefined);
  call.once("status", () => {
    signal?.removeEventListener("abort", cancel);
    ended.abort();
    channels.end(channel);
  });
  sendAll(call, requestBytes(operation, requests), ended.signal).catch((thrown: unknown) => {
    if (ended.signal.aborted) return;
    fault = CallError.from(thrown);
    call.cancel();
  });
  try {
    for await (const bytes of call.iterator({ destroyOnReturn: false })) {
      yield responseFromBinary(operation, bytes as Uint8Array);
    }
  } catch (thrown) {
    if (thrown instanceof CallError) throw thrown;
    const error = thrown as ServiceError;
    answerMetadata.takeError(error);
    throw fault ?? callErrorOf(error, { target: channels.target, deadline });
  } finally {
    if (!ended.signal.aborted) call.cancel();
  }
}

function streamInvoke(operation: Operation, channels: Channels): InvokeStream {
  return stoppable((requests, options) => countedAnswers(operation, answersOf(operation, channels, requests, options)));
}

const noCallOptions: CallOptions = {};

/** Reads on after an answer: grpc-js would leave a second one unread, and wait for the status behind it until the deadline. */
const readOn: Interceptor = (options, nextCall) => {
  const call = nextCall(options);
  return new InterceptingCall(call, {
    start(metadata, _listener, next) {
      next(metadata, {
        onReceiveMessage(message, pass) {
          pass(message);
          call.startRead();
        },
      });
    },
  });
};

const readingOn: ReturnType<typeof grpcOptionsOf> = { interceptors: [readOn] };

function unaryInvoke(operation: Operation, channels: Channels): Invoke {
  const { path, requestSerialize, responseDeserialize } = bytesMethod(methodPath(operation.method), operation.kind);
  return (request, callOptions = noCallOptions) =>
    new Promise((resolve, reject) => {
      const { signal, onMetadata } = callOptions;
      if (signal?.aborted === true) throw callerCancelled();
      const bytes = requestToBinary(operation, request);
      const metadata = metadataToSend(callOptions);
      const answerMetadata = onMetadata === undefined ? undefined : new AnswerMetadata(callOptions);
      const settle = (error: ServiceError | null, response?: Uint8Array): void => {
        channels.end(channel);
        signal?.removeEventListener("abort", cancel);
        if (error !== null) {
          answerMetadata?.takeError(error);
          reject(callErrorOf(error, { target: channels.target, deadline: options.deadline }));
          return;
        }
        try {
          resolve(responseFromBinary(operation, response as Uint8Array));
        } catch (thrown) {
          reject(CallError.from(thrown));
        }
      };
      const options = callOptions.timeoutMs === undefined ? readingOn : { ...grpcOptionsOf(callOptions), ...readingOn };
      const channel = channels.begin();
      const call = channel.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        bytes,
        metadata,
        options,
        settle,
      );
      if (answerMetadata !== undefined) call.once("metadata", (answered) => answerMetadata.take(answered));
      const cancel = (): void => call.cancel();
      signal?.addEventListener("abort", cancel);
    });
}

export const connect: Connect = (contract, options) => {
  const channels = new Channels(options);
  return Promise.resolve({
    contract,
    prepare: (operation) => unaryInvoke(operation, channels),
    prepareStream: (operation) => streamInvoke(operation, channels),
    prepareTogether: noTogether(limitations),
    close: () => channels.close(),
  });
};
