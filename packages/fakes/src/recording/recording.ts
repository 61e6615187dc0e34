// Writes down what passes: an interceptor that keeps every call of a session in its log. Metadata is looked at for what belongs
// together and is never written down: that is where credentials travel.
import type { Message } from "@bufbuild/protobuf";
import { CallError, callerCancelled, type Interceptor, type Operation, type Service } from "@roundtrip/contract";
import type { CallLog } from "./call-log.ts";
import { RecordedCall } from "./recorded-call.ts";

async function* heard(requests: AsyncIterable<Message>, recorded: RecordedCall): AsyncGenerator<Message> {
  for await (const request of requests) {
    recorded.hearRequest(request);
    yield request;
  }
}

/** Records each call when it has ended, before its caller hears that it has. */
export function recording(log: CallLog, session: string): Interceptor {
  const end = (recorded: RecordedCall, error?: CallError): void => {
    recorded.end(error);
    log.add(recorded);
  };
  const fail = (recorded: RecordedCall, thrown: unknown): never => {
    const error = CallError.from(thrown);
    end(recorded, error);
    throw error;
  };
  const answer = (recorded: RecordedCall, response: Message): Message => {
    recorded.hearResponse(response);
    end(recorded);
    return response;
  };
  return (service: Service): Service => {
    const { contract } = service;
    const begin = (operation: Operation, { metadata }: Parameters<Service["call"]>[2]): RecordedCall =>
      new RecordedCall({ ...log.begin(metadata), session, operation, contract });
    return {
      contract,
      guard: (other) => service.guard(other),
      call(operation, request, call) {
        const recorded = begin(operation, call);
        recorded.hearRequest(request);
        let answered: Message | Promise<Message>;
        try {
          answered = service.call(operation, request, call);
        } catch (thrown) {
          return fail(recorded, thrown);
        }
        if (!(answered instanceof Promise)) return answer(recorded, answered);
        return answered.then(
          (response) => answer(recorded, response),
          (thrown: unknown) => fail(recorded, thrown),
        );
      },
      async *stream(operation, requests, call) {
        const recorded = begin(operation, call);
        // Until it is known how it ended: a reader that stops leaves by no other way.
        let outcome: CallError | undefined = callerCancelled();
        try {
          for await (const response of service.stream(operation, heard(requests, recorded), call)) {
            recorded.hearResponse(response);
            // Whoever is promised one answer reads no further.
            if (operation.kind === "client_streaming") outcome = undefined;
            yield response;
          }
          outcome = undefined;
        } catch (thrown) {
          outcome = CallError.from(thrown);
          throw outcome;
        } finally {
          end(recorded, outcome);
        }
      },
    };
  };
}
