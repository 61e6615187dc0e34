// One message where the service speaks of streams: the request of an operation that takes one, the answer of an operation that gives one.
import type { Message } from "@bufbuild/protobuf";
import { CallError } from "./call-error.ts";
import type { Operation } from "./contract.ts";

/** A stream of this message alone. */
export async function* only(message: Message): AsyncGenerator<Message> {
  yield message;
}

/** The request of an operation that takes one; no other is read. Rejects with INVALID_ARGUMENT when there is none. */
export async function onlyRequest(requests: AsyncIterable<Message> | Iterable<Message>): Promise<Message> {
  for await (const request of requests) return request;
  throw new CallError("INVALID_ARGUMENT", "the call came without a request");
}

/** The answer of an operation that gives one; whatever else a handler would say is not asked for. Rejects with INTERNAL when there is none. */
export async function onlyAnswer({ id }: Operation, answers: AsyncIterable<Message>): Promise<Message> {
  for await (const answer of answers) return answer;
  throw new CallError("INTERNAL", `${id} gave no answer`);
}
