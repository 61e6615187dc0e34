// One call without a socket: the server's side of it, made from the caller's options, and the caller's result.
import { toBinary, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  callerCancelled,
  checkMetadata,
  ownMetadata,
  ServerCall,
  requestFromBinary,
  requestToBinary,
  responseFromBinary,
  type CallOptions,
  type Metadata,
  type Operation,
  onlyAnswer,
  onlyRequest,
  untilEnded,
  type InvokeStream,
  type Service,
} from "@roundtrip/contract";

type Requests = Parameters<InvokeStream>[0];

/** As many requests as the operation takes. */
async function* requestsFor({ kind }: Operation, requests: Requests): AsyncGenerator<Message> {
  if (kind === "server_streaming") yield await onlyRequest(requests);
  else yield* requests;
}

/** The answers of a call. Ends the call with the stream, and cancels it if the reader stops. */
export async function* answersOf(
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

/** Larger messages fail with RESOURCE_EXHAUSTED. */
interface MessageLimits {
  readonly maxRequestBytes: number;
  readonly maxResponseBytes: number;
}

function requireFits(what: "request" | "response", bytes: Uint8Array, maxBytes: number): void {
  if (bytes.length > maxBytes) {
    throw new CallError("RESOURCE_EXHAUSTED", `the ${what} is larger than ${maxBytes} bytes`);
  }
}

export class MemoryCall {
  readonly server: ServerCall;
  readonly #operation: Operation;
  readonly #limits: MessageLimits;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: () => void;
  #onMetadata: CallOptions["onMetadata"];

  /**
   * Throws CANCELLED if the caller has cancelled already, and INVALID_ARGUMENT for metadata that no style can carry.
   * @param exchange the metadata of all calls of one exchange; undefined for a single call
   */
  constructor(operation: Operation, limits: MessageLimits, options: CallOptions, exchange?: Metadata) {
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
