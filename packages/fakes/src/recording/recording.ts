// Writes down what passes: an interceptor that keeps every call of a session in its log. Metadata is looked at for what belongs
// together and is never written down: that is where credentials travel.
import type { Message } from "@bufbuild/protobuf";
import { CallError, callerCancelled, type Interceptor, type Operation, type Service } from "@roundtrip/contract";
import type { CallLog } from "./call-log.ts";
import { keepAsItIs, type Keep } from "./kept-message.ts";
import { messageCopy } from "./message-copy.ts";
import { RecordedStream } from "./recorded-stream.ts";
import { RecordedUnary } from "./recorded-unary.ts";
import type { RecordedCall } from "./recorded-call.ts";

async function* heard(requests: AsyncIterable<Message>, recorded: RecordedStream): AsyncGenerator<Message> {
  for await (const request of requests) {
    recorded.hearRequest(request);
    yield request;
  }
}

export interface RecordingOptions {
  /** Of the session. */
  readonly name: string;
  /**
   * Whether somebody may write to the messages of an operation's calls while they are answered or later: they are copied then. All others are
   * kept as they are.
   */
  readonly mayChange: (operation: Operation) => boolean;
}

/** How messages of an operation's calls are kept. */
interface Keeping {
  readonly request: Keep;
  readonly response: Keep;
}

const copying: Keeping = { request: messageCopy, response: messageCopy };

/** Records each call when it has ended, before its caller hears that it has. */
export function recording(log: CallLog, { name: session, mayChange }: RecordingOptions): Interceptor {
  const end = (recorded: RecordedCall, error?: CallError): void => {
    recorded.end(error);
    log.add(recorded);
  };
  const fail = (recorded: RecordedCall, thrown: unknown): never => {
    const error = CallError.from(thrown);
    end(recorded, error);
    throw error;
  };
  const answer = (recorded: RecordedUnary, response: Message, keep: Keep): Message => {
    recorded.hearResponse(response, keep);
    end(recorded);
    return response;
  };
  const known = new Map<string, Keeping>();
  const keepingOf = (operation: Operation): Keeping => {
    if (mayChange(operation)) return copying;
    let keeping = known.get(operation.id);
    if (keeping === undefined) {
      keeping = { request: keepAsItIs(operation.input), response: keepAsItIs(operation.output) };
      known.set(operation.id, keeping);
    }
    return keeping;
  };
  return (service: Service): Service => {
    const { contract } = service;
    return {
      contract,
      guard: (other) => service.guard(other),
      call(operation, request, call) {
        const keep = keepingOf(operation);
        const { metadata } = call;
        const recorded = new RecordedUnary({ ...log.begin(metadata), session, operation, contract });
        recorded.hearRequest(request, keep.request);
        let answered: Message | Promise<Message>;
        try {
          answered = service.call(operation, request, call);
        } catch (thrown) {
          return fail(recorded, thrown);
        }
        if (!(answered instanceof Promise)) return answer(recorded, answered, keep.response);
        return answered.then(
          (response) => answer(recorded, response, keep.response),
          (thrown: unknown) => fail(recorded, thrown),
        );
      },
      async *stream(operation, requests, call) {
        const { metadata } = call;
        const begun = { ...log.begin(metadata), session, operation, contract };
        const recorded = new RecordedStream(begun, keepingOf(operation));
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
