// Calls with streams on Connect's library.
import type { DescMethodStreaming, Message } from "@bufbuild/protobuf";
import {
  CallError,
  checkWholeRequest,
  countedAnswers,
  onlyRequest,
  stoppable,
  untilEnded,
  type CallOptions,
  type InvokeStream,
  type Operation,
  type Requests,
} from "@roundtrip/contract";
import { LibraryCall, type CallLanes } from "./library-call.ts";

/** The requests of one call, as the library takes them. */
class SentRequests implements AsyncIterable<Message> {
  last: Message | undefined;
  /** The error of the caller's stream of requests. */
  fault: CallError | undefined;
  readonly #requests: AsyncGenerator<Message, void, undefined>;
  readonly #operation: Operation;
  readonly #ended = new AbortController();

  constructor(operation: Operation, requests: Requests) {
    this.#operation = operation;
    this.#requests = untilEnded(this.#from(requests), this.#ended.signal);
  }

  /** The call is over: no further request is taken from the caller. */
  end(): void {
    this.#ended.abort();
    this.#requests.return().catch(() => undefined);
  }

  /** The library calls `throw` when a call has failed, and asks for an iterator once more for that. Requests stop by {@link end}. */
  [Symbol.asyncIterator](): AsyncIterator<Message, undefined> {
    return {
      throw: () => Promise.resolve({ done: true, value: undefined }),
      next: async () => {
        try {
          const { done, value } = await this.#requests.next();
          if (done === true) return { done, value: undefined };
          checkWholeRequest(this.#operation, value);
          this.last = value;
          return { done: false, value };
        } catch (thrown) {
          this.fault ??= CallError.from(thrown);
          throw thrown;
        }
      },
    };
  }

  async *#from(requests: Requests): AsyncGenerator<Message, void, undefined> {
    if (this.#operation.kind === "server_streaming") yield await onlyRequest(requests);
    else for await (const request of requests) yield request;
  }
}

async function* answersOf(
  operation: Operation,
  lanes: CallLanes,
  requests: Requests,
  options: CallOptions,
): AsyncGenerator<Message, void, undefined> {
  const call = new LibraryCall(operation, lanes, options);
  const { signal, timeoutMs, header } = call.options;
  const sent = new SentRequests(operation, requests);
  let isFirst = true;
  try {
    const answer = await call.transport.stream(
      operation.method as DescMethodStreaming,
      signal,
      timeoutMs,
      header,
      sent,
    );
    for await (const message of answer.message) {
      // Not before: an error before the first answer may have its metadata at the end.
      if (isFirst) call.takeMetadata(answer.header);
      isFirst = false;
      yield message;
    }
    call.takeMetadata(answer.header, answer.trailer);
  } catch (thrown) {
    throw sent.fault ?? call.errorOf(thrown, sent.last);
  } finally {
    sent.end();
    call.end();
  }
}

export function streamInvoke(operation: Operation, lanes: CallLanes): InvokeStream {
  return stoppable((requests, options) => countedAnswers(operation, answersOf(operation, lanes, requests, options)));
}
