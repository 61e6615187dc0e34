// Records calls: an interceptor that keeps every call of a session in its log.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  callerCancelled,
  type Interceptor,
  type Operation,
  type ServerCall,
  type Service,
} from "@roundtrip/contract";
import type { CallLog } from "./call-log.ts";
import { RecordedCall } from "./recorded-call.ts";

async function* recordedRequests(requests: AsyncIterable<Message>, recorded: RecordedCall): AsyncGenerator<Message> {
  for await (const request of requests) {
    recorded.received.add(request);
    yield request;
  }
}

export interface RecordingOptions {
  /** Of the session. */
  readonly name: string;
  /** Whether the messages of an operation's calls may change during or after the call. This can change while a fake is served. */
  readonly mayChange: (operation: Operation) => boolean;
}

/** Records each call before its caller sees that it has ended. */
export function recording(log: CallLog, { name: session, mayChange }: RecordingOptions): Interceptor {
  const begin = (operation: Operation, call: ServerCall): RecordedCall => {
    const recorded = new RecordedCall({ log, session, operation, mayChange: mayChange(operation) }, call.metadata);
    call.whenUnsent((error) => recorded.failToSend(error));
    return recorded;
  };
  const end = (recorded: RecordedCall, call: ServerCall, error?: CallError): void => {
    recorded.end(call, error);
    log.add(recorded);
  };
  const fail = (recorded: RecordedCall, call: ServerCall, thrown: unknown): never => {
    const error = CallError.from(thrown, recorded.operation);
    end(recorded, call, error);
    throw error;
  };
  const answer = (recorded: RecordedCall, call: ServerCall, response: Message): Message => {
    recorded.answered.add(response);
    end(recorded, call);
    return response;
  };
  return (service: Service): Service => ({
    contract: service.contract,
    guard: (other) => service.guard(other),
    call(operation, request, call) {
      const recorded = begin(operation, call);
      recorded.received.add(request);
      let answered: Message | Promise<Message>;
      try {
        answered = service.call(operation, request, call);
      } catch (thrown) {
        return fail(recorded, call, thrown);
      }
      if (!(answered instanceof Promise)) return answer(recorded, call, answered);
      return answered.then(
        (response) => answer(recorded, call, response),
        (thrown: unknown) => fail(recorded, call, thrown),
      );
    },
    async *stream(operation, requests, call) {
      const recorded = begin(operation, call);
      // The default until the end is known: a reader that stops early ends the stream without an error.
      let outcome: CallError | undefined = callerCancelled();
      try {
        for await (const response of service.stream(operation, recordedRequests(requests, recorded), call)) {
          recorded.answered.add(response);
          // A caller that expects one answer reads no further.
          if (operation.kind === "client_streaming") outcome = undefined;
          yield response;
        }
        outcome = undefined;
      } catch (thrown) {
        outcome = CallError.from(thrown, operation.id);
        throw outcome;
      } finally {
        end(recorded, call, outcome);
      }
    },
  });
}
