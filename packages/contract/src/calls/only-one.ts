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

/**
 * Client: the answers of an operation, which are one if it does not stream them: it comes when nothing can follow. Reading throws UNIMPLEMENTED for
 * another number, as gRPC asks of clients (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md).
 */
export function countedAnswers(
  operation: Operation,
  answers: AsyncGenerator<Message, void, undefined>,
): AsyncGenerator<Message, void, undefined> {
  return operation.kind === "client_streaming" ? onlyOf(operation, answers) : answers;
}

async function* onlyOf(
  operation: Operation,
  answers: AsyncIterable<Message>,
): AsyncGenerator<Message, void, undefined> {
  let answer: Message | undefined;
  for await (const message of answers) {
    if (answer !== undefined) throw severalAnswers(operation);
    answer = message;
  }
  if (answer === undefined) throw noAnswer(operation);
  yield answer;
}

/** Client: the error of a call without an answer. */
export function noAnswer({ id }: Operation): CallError {
  return new CallError("UNIMPLEMENTED", `${id} gave no answer`);
}

/** Client: the error of a call with more than one answer, which does not stream them. */
export function severalAnswers({ id }: Operation): CallError {
  return new CallError("UNIMPLEMENTED", `${id} gave more than one answer`);
}

/** Server: the first answer of a stream; no other is read. Rejects with INTERNAL if the stream is empty. */
export async function onlyAnswer({ id }: Operation, answers: AsyncIterable<Message>): Promise<Message> {
  for await (const answer of answers) return answer;
  throw new CallError("INTERNAL", `${id} gave no answer`);
}
