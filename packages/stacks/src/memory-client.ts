// Calls a service in this process, without a socket. Messages are encoded and decoded, so neither side sees the other's objects; deadlines,
// cancellation, metadata and limits behave as on the stacks.
import { toBinary, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  callerCancelled,
  checkMetadata,
  clientClosed,
  onlyAnswer,
  onlyRequest,
  ownMetadata,
  requestFromBinary,
  requestToBinary,
  responseFromBinary,
  ServerCall,
  stoppable,
  untilEnded,
  type CallOptions,
  type Client,
  type Metadata,
  type Operation,
  type Requests,
  type Service,
} from "@roundtrip/contract";
import { serveDefaults } from "./basics/stack.ts";

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

/** As many requests as the operation takes. */
async function* requestsFor({ kind }: Operation, requests: Requests): AsyncGenerator<Message> {
  if (kind === "server_streaming") yield await onlyRequest(requests);
  else yield* requests;
}

/** The answers of a call. Ends the call with the stream, and cancels it if the reader stops. */
async function* answersOf(
  service: Service,
  operation: Operation,
  call: MemoryCall,
  requests: Requests,
): AsyncGenerator<Message, void, undefined> {
  const { server } = call;
  /** Errors in the caller's own requests: the service sees a cancelled call, the caller sees the error. */
  let fault: CallError | undefined;
  async function* sent(): AsyncGenerator<Message> {
    try {
      for await (const request of untilEnded(requestsFor(operation, requests), server.signal)) yield call.sent(request);
    } catch (thrown) {
      server.throwIfEnded();
      fault = CallError.from(thrown);
      server.cancel();
      throw callerCancelled();
    }
  }
  let isOver = false;
  try {
    const answers = untilEnded(service.stream(operation, sent(), server), server.signal);
    if (operation.kind === "client_streaming") yield call.received(await onlyAnswer(operation, answers));
    else for await (const answer of answers) yield call.received(answer);
    call.sendMetadata();
    isOver = true;
  } catch (thrown) {
    const failure = call.failure(thrown);
    throw fault ?? failure;
  } finally {
    if (!isOver) server.cancel();
    call.end();
  }
}

function requireFits(what: "request" | "response", bytes: Uint8Array, maxBytes: number): void {
  if (bytes.length > maxBytes) {
    throw new CallError("RESOURCE_EXHAUSTED", `the ${what} is larger than ${maxBytes} bytes`);
  }
}

class MemoryCall {
  readonly server: ServerCall;
  readonly #operation: Operation;
  readonly #limits: MemoryClientOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: () => void;
  #onMetadata: CallOptions["onMetadata"];

  /**
   * Throws CANCELLED if the caller has cancelled already, and INVALID_ARGUMENT for metadata that no style can carry.
   * @param exchange the metadata of all calls of one exchange; undefined for a single call
   */
  constructor(operation: Operation, limits: MemoryClientOptions, options: CallOptions, exchange?: Metadata) {
    const { timeoutMs, signal, metadata, onMetadata } = options;
    if (signal?.aborted === true) throw callerCancelled();
    if (metadata !== undefined) checkMetadata(metadata);
    this.#operation = operation;
    this.#limits = limits;
    this.#signal = signal;
    this.#onMetadata = onMetadata;
    // The service gets its own map: later changes by the caller have no effect.
    this.server = new ServerCall(timeoutMs, exchange ?? (metadata === undefined ? undefined : new Map(metadata)));
    this.#onAbort = () => this.server.cancel();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The request as the service receives it. Throws the errors of servers and clients for requests that cannot be sent. */
  sent(request: Message): Message {
    const bytes = requestToBinary(this.#operation, request);
    requireFits("request", bytes, this.#limits.maxRequestBytes);
    return requestFromBinary(this.#operation, bytes);
  }

  /** The response as the caller receives it. The first response carries the metadata. */
  received(response: Message): Message {
    const bytes = toBinary(this.#operation.output, response);
    this.sendMetadata();
    requireFits("response", bytes, this.#limits.maxResponseBytes);
    return responseFromBinary(this.#operation, bytes);
  }

  /** Passes the answer's metadata to the caller, once. Throws INTERNAL for metadata that cannot be sent. */
  sendMetadata(): void {
    const metadata = this.server.metadataToSend();
    const onMetadata = this.#onMetadata;
    this.#onMetadata = undefined;
    onMetadata?.(metadata === undefined ? new Map() : ownMetadata(metadata));
  }

  /** The caller's error: its own object, as over a network, without the server's stack and cause. */
  failure(thrown: unknown): CallError {
    let { code, message, details } = CallError.from(thrown);
    try {
      this.server.throwIfEnded();
      this.sendMetadata();
    } catch (ended) {
      ({ code, message, details } = CallError.from(ended));
    }
    return new CallError(code, message, structuredClone(details));
  }

  end(): void {
    this.server.finish();
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}

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
      onMetadata: (answered) => {
        for (const [name, value] of answered) received.set(name, value);
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
