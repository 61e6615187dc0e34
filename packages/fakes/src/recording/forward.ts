// Forwards calls to real targets. What none of them implements yet, the fake answers.
import { toBinary, type DescMessage, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  type Client,
  ClientSideError,
  type Contract,
  type Interceptor,
  keepUnknownFields,
} from "@roundtrip/contract";
import { noteTarget } from "../log/received-call.ts";
import { maxKeptBytes, optionsOf, requireReachable } from "./record-target.ts";

export interface ForwardTarget {
  readonly url: string;
  connect(contract: Contract): Promise<Client>;
}

export interface Forwarding extends AsyncDisposable {
  /** Goes between the stubs and handlers of a fake and what it makes up. */
  readonly interceptor: Interceptor;
}

/** A stream of requests that can be read again from its beginning, while it is short. */
class ReplayedRequests implements Disposable {
  readonly #type: DescMessage;
  readonly #source: AsyncIterator<Message, unknown>;
  #read: Promise<IteratorResult<Message, unknown>>[] | undefined = [];
  #bytes = 0;

  constructor(type: DescMessage, source: AsyncIterable<Message>) {
    this.#type = type;
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Whether the next reader would get all requests. */
  get isWhole(): boolean {
    return this.#read !== undefined;
  }

  /** No other reader follows. */
  forget(): void {
    this.#read = undefined;
  }

  async *all(): AsyncGenerator<Message, void, undefined> {
    for (let index = 0; ; index += 1) {
      // oxlint-disable-next-line no-await-in-loop -- a stream
      const result = await (this.#read?.[index] ?? this.#next());
      if (result.done === true) return;
      yield result.value;
    }
  }

  /** Stops the stream without waiting: its next value may take long. */
  [Symbol.dispose](): void {
    this.#source.return?.().catch(() => undefined);
  }

  /** A reader that was left waits for the same value as the next one. */
  #next(): Promise<IteratorResult<Message, unknown>> {
    const next = this.#source.next();
    this.#read?.push(next);
    const count = ({ done, value }: IteratorResult<Message, unknown>): void => {
      if (done !== true) this.#bytes += toBinary(this.#type, value).length;
      if (this.#bytes > maxKeptBytes) this.forget();
    };
    if (this.isWhole) next.then(count, () => undefined);
    return next;
  }
}

/**
 * Whether the target lacks the operation, or a part of it. A client makes GraphQL documents from the contract alone, so one that is not valid asks for
 * something that the target's schema does not have. A 404 without an error of the contract is that of a router, which has no such path.
 */
function isUnimplemented(error: CallError): boolean {
  const { code, details } = error;
  if (error instanceof ClientSideError && code === "NOT_FOUND") return true;
  return code === "UNIMPLEMENTED" || details.reason === "GRAPHQL_VALIDATION_FAILED";
}

/** The error of a call, with the reason if the target cannot be reached. */
async function errorOf(thrown: unknown, { url }: ForwardTarget): Promise<CallError> {
  const error = CallError.from(thrown);
  if (error.code !== "UNAVAILABLE") return error;
  const why = await requireReachable(url).catch((unreachable: Error) => unreachable);
  if (why === undefined) return error;
  return new CallError("UNAVAILABLE", `the call cannot be forwarded: ${why.message}`, {}, { cause: error });
}

/** Clients of all targets for the contract that is served; those of an earlier contract are closed. */
class ForwardClients {
  readonly #clients = new Map<ForwardTarget, Promise<Client>>();
  #contract: Contract | undefined;

  async of(target: ForwardTarget, contract: Contract): Promise<Client> {
    if (contract !== this.#contract) void this.close();
    this.#contract = contract;
    let client = this.#clients.get(target);
    if (client === undefined) {
      keepUnknownFields(contract);
      this.#clients.set(target, (client = target.connect(contract)));
    }
    return client;
  }

  /** Waits for calls in flight. */
  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.allSettled(clients.map(async (client) => (await client).close()));
  }
}

/**
 * Forwards calls to the first target that implements the operation, with headers and deadline. Errors of a target are passed on, except UNIMPLEMENTED.
 * A stream of requests of more than 8 MiB before the first answer goes to one target only.
 */
export function forwarding(targets: readonly ForwardTarget[]): Forwarding {
  const clients = new ForwardClients();
  const interceptor: Interceptor = (service) => ({
    contract: service.contract,
    guard: (beside) => service.guard(beside),
    async call(operation, request, call) {
      for (const target of targets) {
        const answered = new Map<string, string>();
        try {
          // oxlint-disable-next-line no-await-in-loop -- the first that implements it answers
          const invoke = (await clients.of(target, service.contract)).prepare(operation);
          // oxlint-disable-next-line no-await-in-loop
          const response = await call.race(invoke(request, optionsOf(call, answered)));
          noteTarget(call, target.url, answered);
          return response;
        } catch (thrown) {
          call.throwIfEnded();
          // oxlint-disable-next-line no-await-in-loop
          const error = await errorOf(thrown, target);
          if (isUnimplemented(error)) continue;
          noteTarget(call, target.url, answered);
          throw error;
        }
      }
      return service.call(operation, request, call);
    },
    async *stream(operation, requests, call) {
      using replayed = new ReplayedRequests(operation.input, requests);
      for (const target of targets) {
        const answered = new Map<string, string>();
        let isBegun = false;
        try {
          const invoke = (await clients.of(target, service.contract)).prepareStream(operation);
          for await (const response of invoke(replayed.all(), optionsOf(call, answered))) {
            if (!isBegun) noteTarget(call, target.url, answered);
            isBegun = true;
            replayed.forget();
            yield response;
          }
          if (!isBegun) noteTarget(call, target.url, answered);
          return;
        } catch (thrown) {
          call.throwIfEnded();
          const error = await errorOf(thrown, target);
          if (isUnimplemented(error) && !isBegun && replayed.isWhole) continue;
          if (!isBegun) noteTarget(call, target.url, answered);
          throw error;
        }
      }
      yield* service.stream(operation, replayed.all(), call);
    },
  });
  return { interceptor, [Symbol.asyncDispose]: () => clients.close() };
}
