// One request, one response: the client's side of a unary call.
import * as grpc from "@grpc/grpc-js";
import {
  CallError,
  callerCancelled,
  endlessMs,
  type CallOptions,
  type Invoke,
  type Operation,
} from "@roundtrip/contract";
import { requestToBinary, responseFromBinary } from "../binary-messages.ts";
import type { Channels } from "./channels.ts";
import { callErrorOf } from "./errors.ts";
import { methodDefinition } from "./method-definition.ts";

const noMetadata = new grpc.Metadata();
const noOptions: grpc.CallOptions = {};

/** An operation, ready to be called over these channels. */
export function unaryInvoke(operation: Operation, channels: Channels): Invoke {
  const { path, requestSerialize, responseDeserialize } = methodDefinition(operation);
  return (request, { timeoutMs, signal }: CallOptions = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) throw callerCancelled();
      const bytes = requestToBinary(operation, request);
      const options =
        timeoutMs !== undefined && timeoutMs < endlessMs ? { deadline: Date.now() + timeoutMs } : noOptions;
      const settle = (error: grpc.ServiceError | null, response?: Uint8Array): void => {
        channels.end();
        signal?.removeEventListener("abort", cancel);
        if (error !== null) {
          reject(callErrorOf(error, channels.target));
          return;
        }
        try {
          resolve(responseFromBinary(operation, response as Uint8Array));
        } catch (thrown) {
          reject(CallError.from(thrown));
        }
      };
      const channel = channels.begin();
      const call = channel.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        bytes,
        noMetadata,
        options,
        settle,
      );
      const cancel = (): void => call.cancel();
      signal?.addEventListener("abort", cancel);
    });
}
