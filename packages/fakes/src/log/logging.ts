// An interceptor that keeps every call of a session in its log.
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
import { LoggedCall } from "./logged-call.ts";

async function* loggedRequests(requests: AsyncIterable<Message>, logged: LoggedCall): AsyncGenerator<Message> {
  for await (const request of requests) {
    logged.received.add(request);
    yield request;
  }
}

export interface LoggingOptions {
  /** Of the session. */
  readonly name: string;
  /** Whether the messages of an operation's calls may change during or after the call. This can change while a fake is served. */
  readonly mayChange: (operation: Operation) => boolean;
}

/** Logs each call before its caller sees that it has ended. */
export function logging(log: CallLog, { name: session, mayChange }: LoggingOptions): Interceptor {
  const begin = (operation: Operation, call: ServerCall): LoggedCall => {
    const logged = new LoggedCall({ log, session, operation, mayChange: mayChange(operation) }, call.metadata);
    call.whenUnsent((error) => logged.failToSend(error));
    return logged;
  };
  const end = (logged: LoggedCall, call: ServerCall, error?: CallError): void => {
    logged.end(call, error);
    log.add(logged);
  };
  const fail = (logged: LoggedCall, call: ServerCall, thrown: unknown): never => {
    const error = CallError.from(thrown, logged.operation);
    end(logged, call, error);
    throw error;
  };
  const answer = (logged: LoggedCall, call: ServerCall, response: Message): Message => {
    logged.answered.add(response);
    end(logged, call);
    return response;
  };
  return (service: Service): Service => ({
    contract: service.contract,
    guard: (beside) => service.guard(beside),
    call(operation, request, call) {
      const logged = begin(operation, call);
      logged.received.add(request);
      let answered: Message | Promise<Message>;
      try {
        answered = service.call(operation, request, call);
      } catch (thrown) {
        return fail(logged, call, thrown);
      }
      if (!(answered instanceof Promise)) return answer(logged, call, answered);
      return answered.then(
        (response) => answer(logged, call, response),
        (thrown: unknown) => fail(logged, call, thrown),
      );
    },
    async *stream(operation, requests, call) {
      const logged = begin(operation, call);
      // The default until the end is known: a reader that stops early ends the stream without an error.
      let outcome: CallError | undefined = callerCancelled();
      try {
        for await (const response of service.stream(operation, loggedRequests(requests, logged), call)) {
          logged.answered.add(response);
          // A caller that expects one answer reads no further.
          if (operation.kind === "client_streaming") outcome = undefined;
          yield response;
        }
        outcome = undefined;
      } catch (thrown) {
        outcome = CallError.from(thrown, operation.id);
        throw outcome;
      } finally {
        end(logged, call, outcome);
      }
    },
  });
}
