// One request, one response: the client's side of a unary call.
import * as grpc from "@grpc/grpc-js";
import { fromBinary, toBinary, type Message } from "@bufbuild/protobuf";
import { CallError, type CallOptions, type Invoke, type Operation } from "@roundtrip/contract";
import type { Channels } from "./channels.ts";
import { callErrorOf } from "./errors.ts";
import { methodDefinition } from "./method-definition.ts";

// grpc-js servers count a deadline in 31 bits of milliseconds; one that is further away never comes.
const endlessMs = 2 ** 31;
const noMetadata = new grpc.Metadata();
const noOptions: grpc.CallOptions = {};

function requestBytes({ input }: Operation, request: Message): Uint8Array {
  try {
    return toBinary(input, request);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", `the request is no valid ${input.typeName}`, {}, { cause });
  }
}

function responseOf({ output }: Operation, bytes: Uint8Array | undefined): Message {
  try {
    return fromBinary(output, bytes as Uint8Array);
  } catch (cause) {
    throw new CallError("INTERNAL", `the response is no ${output.typeName}`, {}, { cause });
  }
}

/** An operation, ready to be called over these channels. */
export function unaryInvoke(operation: Operation, channels: Channels): Invoke {
  const { path, requestSerialize, responseDeserialize } = methodDefinition(operation);
  return (request, { timeoutMs, signal }: CallOptions = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) throw new CallError("CANCELLED", "the caller cancelled the call");
      const bytes = requestBytes(operation, request);
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
          resolve(responseOf(operation, response));
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
