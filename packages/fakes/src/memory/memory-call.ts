// One call without a socket: the server's side of it, made from what the caller said, and what the caller hears when it ends.
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
} from "@roundtrip/contract";

/** What is larger fails with RESOURCE_EXHAUSTED. */
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
   * Throws CANCELLED when the caller has gone already, INVALID_ARGUMENT for metadata that no style could carry.
   * @param exchange the metadata of all calls of one exchange; undefined for a call alone.
   */
  constructor(operation: Operation, limits: MessageLimits, options: CallOptions, exchange?: Metadata) {
    const { timeoutMs, signal, metadata, onMetadata } = options;
    if (signal?.aborted === true) throw callerCancelled();
    if (metadata !== undefined) checkMetadata(metadata);
    this.#operation = operation;
    this.#limits = limits;
    this.#signal = signal;
    this.#onMetadata = onMetadata;
    // The service gets a map of its own: what a caller changes later is not heard.
    this.server = new ServerCall(timeoutMs, exchange ?? (metadata === undefined ? undefined : new Map(metadata)));
    this.#onAbort = () => this.server.cancel();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The request as the service gets it. Throws what servers and clients throw for requests that cannot be sent. */
  sent(request: Message): Message {
    const bytes = requestToBinary(this.#operation, request);
    requireFits("request", bytes, this.#limits.maxRequestBytes);
    return requestFromBinary(this.#operation, bytes);
  }

  /** The response as the caller gets it. The first comes with its metadata. */
  received(response: Message): Message {
    const bytes = toBinary(this.#operation.output, response);
    this.tellMetadata();
    requireFits("response", bytes, this.#limits.maxResponseBytes);
    return responseFromBinary(this.#operation, bytes);
  }

  /** Tells the caller the answer's metadata, unless that has been told. Throws INTERNAL for what could not be sent. */
  tellMetadata(): void {
    const metadata = this.server.metadataToSend();
    const onMetadata = this.#onMetadata;
    this.#onMetadata = undefined;
    onMetadata?.(metadata === undefined ? new Map() : ownMetadata(metadata));
  }

  /** What the caller hears in place of an answer: an error of its own, as after any way, without the server's stack and cause. */
  failure(thrown: unknown): CallError {
    let { code, message, details } = CallError.from(thrown);
    try {
      this.server.throwIfEnded();
      this.tellMetadata();
    } catch (ended) {
      ({ code, message, details } = CallError.from(ended));
    }
    return new CallError(code, message, structuredClone(details));
  }

  /** Nothing comes any more. */
  end(): void {
    this.server.finish();
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}
