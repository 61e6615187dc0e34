// Streams made from single messages or other streams, and single messages from streams.
import type { Message } from "@bufbuild/protobuf";
import { CallError } from "../basics/call-error.ts";
import type { Operation } from "../descriptors/contract.ts";

export async function* only(message: Message): AsyncGenerator<Message> {
  yield message;
}

/** A stream with each of these values converted. */
export async function* mapped<T, U>(
  values: AsyncIterable<T> | Iterable<T>,
  convert: (value: T) => U,
): AsyncGenerator<U> {
  for await (const value of values) yield convert(value);
}

/** The first request of a stream; no other is read. Rejects with INVALID_ARGUMENT if the stream is empty. */
export async function onlyRequest(requests: AsyncIterable<Message> | Iterable<Message>): Promise<Message> {
  for await (const request of requests) return request;
  throw new CallError("INVALID_ARGUMENT", "the call came without a request");
}

/** The first answer of a stream; no other is read. Rejects with INTERNAL if the stream is empty. */
export async function onlyAnswer({ id }: Operation, answers: AsyncIterable<Message>): Promise<Message> {
  for await (const answer of answers) return answer;
  throw new CallError("INTERNAL", `${id} gave no answer`);
}
