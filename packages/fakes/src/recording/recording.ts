// Records calls: an interceptor that keeps every call of a session in its log. Metadata is read only to find the calls of one
// exchange, and is never recorded, since it may contain credentials.
import type { Message } from "@bufbuild/protobuf";
import { CallError, callerCancelled, type Interceptor, type Operation, type Service } from "@roundtrip/contract";
import type { CallLog } from "./call-log.ts";
import { keepOriginal } from "./kept-message.ts";
import { messageCopy } from "./message-copy.ts";
import { RecordedStream } from "./recorded-stream.ts";
import { RecordedUnary } from "./recorded-unary.ts";
import type { RecordedCall, RecordedOperation } from "./recorded-call.ts";

async function* recordedRequests(requests: AsyncIterable<Message>, recorded: RecordedStream): AsyncGenerator<Message> {
  for await (const request of requests) {
    recorded.addRequest(request);
    yield request;
  }
}

export interface RecordingOptions {
  /** Of the session. */
  readonly name: string;
  /**
   * Whether the messages of an operation's calls may change during or after the call; then they are copied. All other messages are kept without a
   * copy.
   */
  readonly mayChange: (operation: Operation) => boolean;
}

/** Makes the records of calls, and adds those that have ended to the log. */
class Records {
  readonly #log: CallLog;
  readonly #options: RecordingOptions;
  readonly #known = new Map<string, RecordedOperation>();

  constructor(log: CallLog, options: RecordingOptions) {
    this.#log = log;
    this.#options = options;
  }

  /** How calls of an operation are recorded. */
  of(operation: Operation): RecordedOperation {
    const { name: session, mayChange } = this.#options;
    let found = this.#known.get(operation.id);
    if (found === undefined) {
      const keepRequest = keepOriginal(operation.input);
      const keepResponse = keepOriginal(operation.output);
      found = { log: this.#log, session, operation, keepRequest, keepResponse };
      this.#known.set(operation.id, found);
    }
    // This can change while a fake is served.
    return mayChange(operation) ? { ...found, keepRequest: messageCopy, keepResponse: messageCopy } : found;
  }

  end(recorded: RecordedCall, error?: CallError): void {
    recorded.end(error);
    this.#log.add(recorded);
  }

  fail(recorded: RecordedCall, thrown: unknown): never {
    const error = CallError.from(thrown);
    this.end(recorded, error);
    throw error;
  }

  answer(recorded: RecordedUnary, response: Message): Message {
    recorded.addResponse(response);
    this.end(recorded);
    return response;
  }
}

/** Records each call before its caller sees that it has ended. */
export function recording(log: CallLog, options: RecordingOptions): Interceptor {
  const records = new Records(log, options);
  return (service: Service): Service => {
    const { contract } = service;
    return {
      contract,
      guard: (other) => service.guard(other),
      call(operation, request, call) {
        const recorded = new RecordedUnary(records.of(operation), call.metadata);
        recorded.addRequest(request);
        let answered: Message | Promise<Message>;
        try {
          answered = service.call(operation, request, call);
        } catch (thrown) {
          return records.fail(recorded, thrown);
        }
        if (!(answered instanceof Promise)) return records.answer(recorded, answered);
        return answered.then(
          (response) => records.answer(recorded, response),
          (thrown: unknown) => records.fail(recorded, thrown),
        );
      },
      async *stream(operation, requests, call) {
        const recorded = new RecordedStream(records.of(operation), call.metadata);
        // The default until the end is known: a reader that stops early ends the stream without an error.
        let outcome: CallError | undefined = callerCancelled();
        try {
          for await (const response of service.stream(operation, recordedRequests(requests, recorded), call)) {
            recorded.addResponse(response);
            // A caller that expects one answer reads no further.
            if (operation.kind === "client_streaming") outcome = undefined;
            yield response;
          }
          outcome = undefined;
        } catch (thrown) {
          outcome = CallError.from(thrown);
          throw outcome;
        } finally {
          records.end(recorded, outcome);
        }
      },
    };
  };
}
