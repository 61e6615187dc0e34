// Answers calls by stubs: an interceptor that looks at each request, and answers it with data where a stub is about it.
import type { Message } from "@bufbuild/protobuf";
import { CallError, untilEnded, type Contract, type Interceptor, type Operation } from "@roundtrip/contract";
import type { ServerCall, Service } from "@roundtrip/contract";
import { compileStub, type CompiledAnswer, type CompiledStub } from "./compiled-stub.ts";
import { PeekedRequests } from "./peeked-requests.ts";
import type { Stub, StubFailure } from "./stub.ts";
import { stubIndex, type Find } from "./stub-index.ts";

/** The stubs of one operation. */
interface OperationStubs {
  readonly stubs: readonly CompiledStub[];
  readonly find: Find<CompiledStub>;
}

type StubsByOperation = ReadonlyMap<string, OperationStubs>;

function errorOf({ code, message, details }: StubFailure): CallError {
  return new CallError(code, message, details);
}

/** Which answer of each stub is next: the state of one session. */
class Turns {
  readonly #taken = new Map<CompiledStub, number>();

  /** The answer whose turn it is; the last one stays. */
  next(stub: CompiledStub): CompiledAnswer {
    const { answers } = stub;
    if (answers.length === 1) return answers[0];
    const turn = this.#taken.get(stub) ?? 0;
    this.#taken.set(stub, turn + 1);
    return answers[Math.min(turn, answers.length - 1)] as CompiledAnswer;
  }
}

/** The first stub that is about a stream of requests. Nothing is read where the first stub of all does not look at it. */
async function stubAbout(
  { stubs, find }: OperationStubs,
  requests: PeekedRequests<Message>,
): Promise<CompiledStub | undefined> {
  const everything = stubs.find(({ looksAtRequest }) => !looksAtRequest);
  if (everything === stubs[0]) return everything;
  const first = await requests.first();
  return first === undefined ? everything : find(first);
}

/** What may answer a stream. */
interface StubbedStream {
  readonly operation: Operation;
  readonly stubs: OperationStubs;
  readonly turns: Turns;
  /** Answers where no stub does. */
  readonly behind: (requests: AsyncIterable<Message>) => AsyncIterable<Message>;
}

/** What a stream answers, by the first stub that is about it. */
async function* streamed(
  source: AsyncIterable<Message>,
  { operation, stubs, turns, behind }: StubbedStream,
): AsyncGenerator<Message> {
  using requests = new PeekedRequests(source);
  const stub = await stubAbout(stubs, requests);
  const answer = stub === undefined ? undefined : turns.next(stub);
  if (answer === undefined || answer.kind === "made-up") {
    yield* behind(requests.all());
    return;
  }
  // As whoever answers the whole of a stream does.
  if (operation.kind === "client_streaming" && answer.failure === undefined) await requests.drain();
  yield* answer.messages;
  if (answer.failure !== undefined) throw errorOf(answer.failure);
}

/** One session's service: turns begin with it. */
function stubbed(service: Service, byOperation: StubsByOperation): Service {
  const turns = new Turns();
  return {
    contract: service.contract,
    guard: (other) => service.guard(other),
    call(operation, request, call) {
      const stub = byOperation.get(operation.id)?.find(request);
      if (stub === undefined) return service.call(operation, request, call);
      call.throwIfEnded();
      const answer = turns.next(stub);
      if (answer.kind === "made-up") return service.call(operation, request, call);
      if (answer.failure !== undefined) throw errorOf(answer.failure);
      return answer.messages[0] as Message;
    },
    stream(operation: Operation, requests: AsyncIterable<Message>, call: ServerCall) {
      const stubs = byOperation.get(operation.id);
      if (stubs === undefined) return service.stream(operation, requests, call);
      const behind = (peeked: AsyncIterable<Message>) => service.stream(operation, peeked, call);
      return untilEnded(streamed(requests, { operation, stubs, turns, behind }), call.signal);
    },
  };
}

/**
 * An interceptor that answers by stubs: the first that is about a request is it, and requests that none is about go on. Turns are counted
 * for each service that it is put around. Throws a FakeError for a stub that does not fit the contract.
 */
export function stubbing(contract: Contract, stubs: readonly Stub[]): Interceptor {
  const compiled = stubs.map((stub, index) => compileStub(contract, stub, ["stubs", index]));
  const byOperation = new Map(
    [...Map.groupBy(compiled, ({ operation }) => operation.id)].map(([id, own]) => [
      id,
      { stubs: own, find: stubIndex(own) },
    ]),
  );
  return (service) => stubbed(service, byOperation);
}
