// Calls with streams whose callers may stop reading at any time.
import type { Message } from "@bufbuild/protobuf";
import type { CallOptions, InvokeStream } from "@roundtrip/contract";

export type Requests = AsyncIterable<Message> | Iterable<Message>;

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
