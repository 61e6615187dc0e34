// Answers calls by stubs: an interceptor that compares each request, and answers with data if a stub matches.
import { create, type Message } from "@bufbuild/protobuf";
import {
  mapped,
  untilEnded,
  type Contract,
  type Metadata,
  type Operation,
  type ServerCall,
  type Service,
} from "@roundtrip/contract";
import { type BuiltAnswer, type CompiledStub, compileStub } from "./compiled-stub.ts";
import { noteUnmatched } from "./near-stubs.ts";
import { keepAnswer, type Keeping, readingOf } from "../generated/generated-service.ts";
import type { Reading } from "../resources/masks.ts";
import { callErrorOf } from "../files/written-error.ts";
import type { Stub } from "./stub-schema.ts";

class PeekedRequests<T> implements Disposable {
  readonly #source: AsyncIterator<T, unknown>;
  #first: Promise<IteratorResult<T, unknown>> | undefined;

  constructor(source: AsyncIterable<T>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The first value, which {@link all} returns again; undefined for an empty stream. Rejects if the stream fails. */
  async first(): Promise<T | undefined> {
    this.#first ??= this.#source.next();
    const result = await this.#first;
    return result.done === true ? undefined : result.value;
  }

  /** The whole stream, which can be read once. */
  async *all(): AsyncGenerator<T, void, undefined> {
    let result = await (this.#first ?? this.#source.next());
    for (; result.done !== true; result = await this.#source.next()) yield result.value;
  }

  /** Reads to the end. */
  async drain(): Promise<void> {
    const values = this.all();
    while ((await values.next()).done !== true);
  }

  /** Stops the stream without waiting: its next value may take long. */
  [Symbol.dispose](): void {
    this.#source.return?.().catch(() => undefined);
  }
}

type StubsByOperation = ReadonlyMap<string, readonly CompiledStub[]>;

/** The next answer of each stub: the state of one session. */
class AnswerSequences {
  readonly #taken = new Map<CompiledStub, number>();

  /** The next answer of a stub; the last one repeats. */
  next(stub: CompiledStub): CompiledStub["answers"][number] {
    const { answers } = stub;
    const last = answers.length - 1;
    const position = Math.min(this.#taken.get(stub) ?? 0, last);
    if (position < last) this.#taken.set(stub, position + 1);
    return answers[position] as CompiledStub["answers"][number];
  }
}

/** The answer of a stub to this call, with its headers set. */
function answerOf(stub: CompiledStub, sequences: AnswerSequences, request: Message, call: ServerCall): BuiltAnswer {
  const answer = sequences.next(stub).build(request, call.metadata);
  for (const [name, value] of answer.headers) call.answerMetadata.set(name, value);
  return answer;
}

/** A stub, and the request that it has been compared with. */
interface FoundStub {
  readonly stub: CompiledStub | undefined;
  /** An empty message if none was read. */
  readonly request: Message;
}

/** The first stub that matches a stream of requests. If the first stub answers every call alike, nothing is read. */
async function stubAbout(
  { operation, stubs }: StubbedStream,
  requests: PeekedRequests<Message>,
  metadata: Metadata,
): Promise<FoundStub> {
  const none = create(operation.input);
  const [foremost] = stubs;
  if (foremost?.looksAtCall === false) return { stub: foremost, request: none };
  const request = await requests.first();
  const stub = stubs.find(
    ({ matches, request: pattern }) => (request !== undefined || pattern.isAny) && matches(request ?? none, metadata),
  );
  return { stub, request: request ?? none };
}

/** The possible answers to a stream. */
interface StubbedStream {
  readonly operation: Operation;
  readonly stubs: readonly CompiledStub[];
  readonly sequences: AnswerSequences;
  readonly call: ServerCall;
  /** Answers if no stub matches. */
  readonly behind: (requests: AsyncIterable<Message>) => AsyncIterable<Message>;
  /** Keeps an answer where its method creates it. */
  readonly keep: (message: Message, keeping: Keeping) => void;
  readonly read: (request: Message) => Reading;
}

/** Answers a stream by the first stub that matches. */
async function* streamed(source: AsyncIterable<Message>, stream: StubbedStream): AsyncGenerator<Message> {
  const { operation, stubs, sequences, call, behind, keep } = stream;
  using requests = new PeekedRequests(source);
  const { stub, request } = await stubAbout(stream, requests, call.metadata);
  if (stub === undefined) noteUnmatched(call, stubs);
  const answer = stub === undefined ? undefined : answerOf(stub, sequences, request, call);
  const stored = (message: Message, before?: Message): Message => {
    keep(message, { request, isAsked: answer?.keep, before });
    return message;
  };
  if (answer?.messages === undefined) {
    const answers = behind(requests.all());
    const { over } = answer ?? {};
    if (over === undefined) yield* answers;
    else yield* mapped(answers, (madeUp) => stream.read(request)(stored(over(madeUp), madeUp)));
    return;
  }
  // Reads all requests first, as a handler of a whole stream does.
  if (operation.kind === "client_streaming" && answer.error === undefined) await requests.drain();
  for (const message of answer.messages) yield stored(message);
  if (answer.error !== undefined) throw callErrorOf(answer.error);
}

/** One session's service, with its own stub sequences. */
function stubbed(service: Service, byOperation: StubsByOperation, innermost: Service): Service {
  const sequences = new AnswerSequences();
  return {
    contract: service.contract,
    guard: (beside) => service.guard(beside),
    call(operation, request, call) {
      const stubs = byOperation.get(operation.id);
      if (stubs === undefined) return service.call(operation, request, call);
      const stub = stubs.find(({ matches }) => matches(request, call.metadata));
      if (stub === undefined) {
        noteUnmatched(call, stubs);
        return service.call(operation, request, call);
      }
      call.throwIfEnded();
      const { messages, over, keep, error } = answerOf(stub, sequences, request, call);
      if (error !== undefined) throw callErrorOf(error);
      const stored = (message: Message, before?: Message): Message => {
        keepAnswer(innermost, operation, message, { request, isAsked: keep, before });
        return message;
      };
      if (messages !== undefined) return stored(messages[0] as Message);
      const answer = service.call(operation, request, call);
      if (over === undefined) return answer;
      const replaced = (madeUp: Message): Message =>
        readingOf(innermost, operation, request)(stored(over(madeUp), madeUp));
      return answer instanceof Promise ? answer.then(replaced) : replaced(answer);
    },
    stream(operation: Operation, requests: AsyncIterable<Message>, call: ServerCall) {
      const stubs = byOperation.get(operation.id);
      if (stubs === undefined) return service.stream(operation, requests, call);
      const behind = (peeked: AsyncIterable<Message>) => service.stream(operation, peeked, call);
      const keep = (message: Message, keeping: Keeping) => keepAnswer(innermost, operation, message, keeping);
      const read = (asked: Message): Reading => readingOf(innermost, operation, asked);
      return untilEnded(streamed(requests, { operation, stubs, sequences, call, behind, keep, read }), call.signal);
    },
  };
}

/**
 * An interceptor that answers by stubs: the first matching stub answers, and other requests are passed on. Each service that it wraps has its own
 * sequences. The innermost service, behind all layers, keeps what stubs create. Throws a FakeError if a stub does not fit the contract.
 */
export function stubbing(
  contract: Contract,
  stubs: readonly Stub[],
): (service: Service, innermost?: Service) => Service {
  const compiled = stubs.map((stub, index) => compileStub(contract, stub, ["stubs", index]));
  const byOperation = Map.groupBy(compiled, ({ operation }) => operation.id);
  return (service, innermost = service) => stubbed(service, byOperation, innermost);
}
