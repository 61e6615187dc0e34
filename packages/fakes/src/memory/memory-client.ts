// Calls a service in this process, without a socket: messages are encoded and decoded as on any way, so that neither side sees the other's
// objects, and deadlines, cancellation, metadata and limits are what they are on the stacks.
import type { Message } from "@bufbuild/protobuf";
import { CallError, clientClosed, type CallOptions, type Client } from "@roundtrip/contract";
import type { Metadata, Operation, Service } from "@roundtrip/contract";
import { answersOf } from "./memory-stream.ts";
import { MemoryCall } from "./memory-call.ts";

export interface MemoryClientOptions {
  /** A larger request fails with RESOURCE_EXHAUSTED. */
  readonly maxRequestBytes: number;
  /** A larger response fails with RESOURCE_EXHAUSTED. */
  readonly maxResponseBytes: number;
}

export const memoryClientDefaults = {
  maxRequestBytes: 4 * 1024 * 1024,
  maxResponseBytes: 4 * 1024 * 1024,
} as const satisfies MemoryClientOptions;

const noOptions: CallOptions = {};

function streamsOnly({ id }: Operation): CallError {
  return new CallError("UNIMPLEMENTED", `${id} streams: it is prepared as a stream`);
}

/** The calls that a client has begun, so that closing it can wait for them. */
class Underway {
  #isClosed = false;
  #calls = 0;
  readonly #idle = Promise.withResolvers<void>();

  /** Throws CANCELLED when the client is closed. */
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

/** A client of a service in this process. `service` is asked for with each call, so that it may be replaced. */
export function memoryClient(service: () => Service, limits: MemoryClientOptions = memoryClientDefaults): Client {
  const underway = new Underway();

  const ask = async (
    operation: Operation,
    request: Message,
    options: CallOptions,
    exchange?: Metadata,
  ): Promise<Message> => {
    underway.begin();
    let call: MemoryCall | undefined;
    try {
      call = new MemoryCall(operation, limits, options, exchange);
      const sent = call.sent(request);
      try {
        const answer = service().call(operation, sent, call.server);
        return call.received(answer instanceof Promise ? await call.server.race(answer) : answer);
      } catch (thrown) {
        throw call.failure(thrown);
      }
    } finally {
      call?.end();
      underway.end();
    }
  };

  return {
    get contract() {
      return service().contract;
    },
    prepare(operation) {
      if (operation.kind !== "unary") return () => Promise.reject(streamsOnly(operation));
      return (request, options = noOptions) => ask(operation, request, options);
    },
    prepareStream:
      (operation) =>
      (requests, options = noOptions) => {
        async function* answers(stop: AbortSignal): AsyncGenerator<Message, void, undefined> {
          underway.begin();
          try {
            const signal = options.signal === undefined ? stop : AbortSignal.any([options.signal, stop]);
            const call = new MemoryCall(operation, limits, { ...options, signal });
            yield* answersOf(service(), operation, call, requests);
          } finally {
            underway.end();
          }
        }
        return {
          [Symbol.asyncIterator]() {
            const stop = new AbortController();
            const read = answers(stop.signal);
            return {
              next: () => read.next(),
              // A generator that waits for an answer would stop only with the next one.
              return: () => {
                stop.abort();
                return read.return();
              },
            };
          },
        };
      },
    prepareTogether(operations) {
      const stream = operations.find(({ kind }) => kind !== "unary");
      if (stream !== undefined) throw streamsOnly(stream);
      return async (requests, { metadata, onMetadata, ...options } = noOptions) => {
        if (requests.length !== operations.length) {
          throw new CallError("INVALID_ARGUMENT", `${operations.length} requests expected, ${requests.length} given`);
        }
        const exchange: Metadata = new Map(metadata);
        const heard = new Map<string, string>();
        const each: CallOptions = {
          ...options,
          ...(metadata === undefined ? {} : { metadata }),
          onMetadata: (one) => {
            for (const [name, value] of one) heard.set(name, value);
          },
        };
        const answers = await Promise.allSettled(
          operations.map((operation, index) => ask(operation, requests[index] as Message, each, exchange)),
        );
        onMetadata?.(heard);
        return answers.map((answer) => {
          if (answer.status === "rejected") throw answer.reason;
          return answer.value;
        });
      };
    },
    close: () => underway.close(),
  };
}
