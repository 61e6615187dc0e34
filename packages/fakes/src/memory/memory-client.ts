// Calls a service in this process, without a socket. Messages are encoded and decoded, so neither side sees the other's objects; deadlines,
// cancellation, metadata and limits behave as on the stacks.
import { serveDefaults } from "@roundtrip/stacks/names";
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  clientClosed,
  stoppable,
  type CallOptions,
  type Client,
  type Metadata,
  type Operation,
  type Requests,
  type Service,
} from "@roundtrip/contract";
import { answersOf, MemoryCall } from "./memory-call.ts";

export interface MemoryClientOptions {
  /** A larger request fails with RESOURCE_EXHAUSTED. */
  readonly maxRequestBytes: number;
  /** A larger response fails with RESOURCE_EXHAUSTED. */
  readonly maxResponseBytes: number;
}

export const memoryClientDefaults = {
  maxRequestBytes: serveDefaults.maxMessageBytes,
  maxResponseBytes: serveDefaults.maxMessageBytes,
} as const satisfies MemoryClientOptions;

const noOptions: CallOptions = {};

function streamsOnly({ id }: Operation): CallError {
  return new CallError("UNIMPLEMENTED", `${id} streams: use prepareStream`);
}

/** The calls in flight, which closing the client waits for. */
class Underway {
  #isClosed = false;
  #calls = 0;
  readonly #idle = Promise.withResolvers<void>();

  /** Throws CANCELLED if the client is closed. */
  begin(): void {
    if (this.#isClosed) throw clientClosed();
    this.#calls += 1;
  }

  end(): void {
    this.#calls -= 1;
    if (this.#isClosed && this.#calls === 0) this.#idle.resolve();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    if (this.#calls === 0) this.#idle.resolve();
    return this.#idle.promise;
  }
}

class MemoryCalls {
  readonly #service: () => Service;
  readonly #limits: MemoryClientOptions;
  readonly #underway = new Underway();

  constructor(service: () => Service, limits: MemoryClientOptions) {
    this.#service = service;
    this.#limits = limits;
  }

  /** @param exchange what the calls of one exchange share */
  async ask(operation: Operation, request: Message, options: CallOptions, exchange?: Metadata): Promise<Message> {
    this.#underway.begin();
    let call: MemoryCall | undefined;
    try {
      call = new MemoryCall(operation, this.#limits, options, exchange);
      const sent = call.sent(request);
      try {
        const answer = this.#service().call(operation, sent, call.server);
        return call.received(answer instanceof Promise ? await call.server.race(answer) : answer);
      } catch (thrown) {
        throw call.failure(thrown);
      }
    } finally {
      call?.end();
      this.#underway.end();
    }
  }

  async *answers(
    operation: Operation,
    requests: Requests,
    options: CallOptions,
  ): AsyncGenerator<Message, void, undefined> {
    this.#underway.begin();
    try {
      const call = new MemoryCall(operation, this.#limits, options);
      yield* answersOf(this.#service(), operation, call, requests);
    } finally {
      this.#underway.end();
    }
  }

  /** One call for each operation, all at once, as one exchange. */
  async together(
    operations: readonly Operation[],
    requests: readonly Message[],
    { metadata, onMetadata, ...options }: CallOptions,
  ): Promise<Message[]> {
    if (requests.length !== operations.length) {
      throw new CallError("INVALID_ARGUMENT", `${operations.length} requests expected, ${requests.length} given`);
    }
    const exchange: Metadata = new Map(metadata);
    const received = new Map<string, string>();
    const each: CallOptions = {
      ...options,
      ...(metadata === undefined ? {} : { metadata }),
      onMetadata: (one) => {
        for (const [name, value] of one) received.set(name, value);
      },
    };
    const answers = await Promise.allSettled(
      operations.map((operation, index) => this.ask(operation, requests[index] as Message, each, exchange)),
    );
    onMetadata?.(received);
    return answers.map((answer) => {
      if (answer.status === "rejected") throw answer.reason;
      return answer.value;
    });
  }

  close(): Promise<void> {
    return this.#underway.close();
  }
}

/** A client of a service in this process. It asks `service` for each call, so the service can be replaced. */
export function memoryClient(service: () => Service, limits: MemoryClientOptions = memoryClientDefaults): Client {
  const calls = new MemoryCalls(service, limits);
  return {
    get contract() {
      return service().contract;
    },
    prepare(operation) {
      if (operation.kind !== "unary") return () => Promise.reject(streamsOnly(operation));
      return (request, options = noOptions) => calls.ask(operation, request, options);
    },
    prepareStream: (operation) => stoppable((requests, options) => calls.answers(operation, requests, options)),
    prepareTogether(operations) {
      const stream = operations.find(({ kind }) => kind !== "unary");
      if (stream !== undefined) throw streamsOnly(stream);
      return (requests, options = noOptions) => calls.together(operations, requests, options);
    },
    close: () => calls.close(),
  };
}
