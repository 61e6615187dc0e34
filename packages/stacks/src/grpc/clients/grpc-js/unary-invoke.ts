// The client side of unary calls.
import { InterceptingCall, type Interceptor, type ServiceError } from "@grpc/grpc-js";
import {
  CallError,
  callerCancelled,
  requestToBinary,
  responseFromBinary,
  type CallOptions,
  type Invoke,
  type Operation,
} from "@roundtrip/contract";
import type { Channels } from "./channels.ts";
import { callErrorOf } from "./call-errors.ts";
import { bytesMethod } from "../../grpc-js/method-definition.ts";
import { pathOf } from "@roundtrip/styles/grpc/client";
import { AnswerMetadata, grpcOptionsOf, metadataToSend } from "./outgoing-call.ts";

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

export function unaryInvoke(operation: Operation, channels: Channels): Invoke {
  const { path, requestSerialize, responseDeserialize } = bytesMethod(pathOf(operation), operation.kind);
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
