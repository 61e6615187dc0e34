// The client side of unary calls.
import type { ServiceError } from "@grpc/grpc-js";
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
      const options = grpcOptionsOf(callOptions);
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
