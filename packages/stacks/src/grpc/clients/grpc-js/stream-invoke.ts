// The client side of streaming calls.
import type { Message } from "@bufbuild/protobuf";
import type { Client, ClientDuplexStream, ServiceError } from "@grpc/grpc-js";
import {
  CallError,
  callerCancelled,
  countedAnswers,
  responseFromBinary,
  stoppable,
  type CallOptions,
  type InvokeStream,
  type Operation,
  type Requests,
} from "@roundtrip/contract";
import type { Channels } from "./channels.ts";
import { callErrorOf } from "./call-errors.ts";
import { bytesMethod } from "../../grpc-js/method-definition.ts";
import { pathOf } from "@roundtrip/styles/grpc/client";
import { AnswerMetadata, grpcOptionsOf, metadataToSend } from "./outgoing-call.ts";
import { requestBytes, sendAll } from "../../client-streams.ts";

type Call = ClientDuplexStream<Uint8Array, Uint8Array>;

interface OpenCall {
  readonly call: Call;
  readonly channel: Client;
  /** Milliseconds since 1970; undefined without a deadline. */
  readonly deadline: number | undefined;
}

/** Opens the call. A stream of one message is a stream on the wire too, so that all kinds use the same code. */
function open(operation: Operation, channels: Channels, callOptions: CallOptions): OpenCall {
  const { path, requestSerialize, responseDeserialize } = bytesMethod(pathOf(operation), operation.kind);
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

export function streamInvoke(operation: Operation, channels: Channels): InvokeStream {
  return stoppable((requests, options) => countedAnswers(operation, answersOf(operation, channels, requests, options)));
}
