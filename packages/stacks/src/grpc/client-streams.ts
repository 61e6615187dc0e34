// What the client bindings of gRPC have in common for calls with streams: their requests, and callers that stop reading.
import type { Message } from "@bufbuild/protobuf";
import {
  onlyRequest,
  requestToBinary,
  untilEnded,
  type CallOptions,
  type InvokeStream,
  type Operation,
} from "@roundtrip/contract";
import type { Writable } from "node:stream";
import { PacedWriter } from "./paced-writer.ts";

export type Requests = AsyncIterable<Message> | Iterable<Message>;

/** The serialised requests to send: one if the operation streams responses only. */
export async function* requestBytes(operation: Operation, requests: Requests): AsyncGenerator<Uint8Array> {
  if (operation.kind === "server_streaming") yield requestToBinary(operation, await onlyRequest(requests));
  else for await (const request of requests) yield requestToBinary(operation, request);
}

/** Sends messages as fast as the server reads them. Rejects with the reason of `ended` when the call ends first. */
export async function sendAll(
  stream: Writable,
  messages: AsyncIterable<Uint8Array>,
  ended: AbortSignal,
): Promise<void> {
  const writer = new PacedWriter(stream, ended);
  for await (const message of untilEnded(messages, ended)) {
    const taken = writer.write(message);
    if (taken !== undefined) await taken;
  }
  stream.end();
}

/** Calls with streams whose callers may stop at any time. @param answersOf the signal in its options aborts when the caller stops. */
export function stoppable(
  answersOf: (requests: Requests, options: CallOptions) => AsyncGenerator<Message, void, undefined>,
): InvokeStream {
  return (requests, { signal, ...others } = {}) => ({
    [Symbol.asyncIterator]() {
      const stop = new AbortController();
      const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
      const answers = answersOf(requests, { ...others, signal: either });
      return {
        next: () => answers.next(),
        // A generator that awaits an answer would stop only after the next one.
        return: () => {
          stop.abort();
          return answers.return();
        },
      };
    },
  });
}
