// The server's side of one call: deadline, cancellation, and the context of the handler.
import type { Message } from "@bufbuild/protobuf";
import { CallError } from "../basics/call-error.ts";
import { callerCancelled, deadlineExceeded, endlessMs, serverStopping } from "./call-end.ts";
import { bytesInMemory, callBytes, heldBy, type HeldMemory, memoryExhausted } from "./held-memory.ts";
import { checkMetadata, type Metadata } from "./metadata.ts";

/** What a handler can read about the call that it answers. */
export interface CallContext {
  /** Aborted when the deadline passes or the caller goes away. */
  readonly signal: AbortSignal;
  /** The request's metadata (gRPC) or headers (HTTP). The calls of one GraphQL document share the object. */
  readonly metadata: Metadata;
  /** Sent with the answer or the error. For a stream, only entries set before the first message are sent. Reserved names fail the call. */
  readonly answerMetadata: Map<string, string>;
}

const noMetadata: Metadata = new Map();

/**
 * Made by a stack for each call. It costs almost nothing while nobody reads the signal and no deadline is set: most calls are answered at
 * once.
 */
export class ServerCall implements CallContext {
  readonly metadata: Metadata;
  /** A socket, or a session of HTTP/2; undefined for a call without one. */
  readonly connection: object | undefined;
  /** Undefined unless the call holds memory. */
  #memory: HeldMemory | undefined;
  #heldBytes = 0;
  #answerMetadata: Map<string, string> | undefined;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** By the monotonic clock; undefined without one. */
  #deadlineMs: number | undefined;
  #ended: CallError | undefined;
  #finished = false;
  #onEnd: ((error: CallError) => void) | undefined;
  #onUnsent: ((error: CallError) => void) | undefined;
  #onFinish: (() => void) | undefined;

  /**
   * @param timeoutMs milliseconds from now until DEADLINE_EXCEEDED; undefined for no deadline
   * @param connection what {@link hold} counts for
   */
  constructor(timeoutMs?: number, metadata: Metadata = noMetadata, connection?: object) {
    this.metadata = metadata;
    this.connection = connection;
    if (timeoutMs === undefined) return;
    if (timeoutMs <= 0) this.#end(deadlineExceeded());
    else if (timeoutMs < endlessMs) {
      this.#deadlineMs = performance.now() + timeoutMs;
      this.#timer = setTimeout(() => this.#end(deadlineExceeded()), timeoutMs);
    }
  }

  /** Milliseconds until the deadline; undefined without one. */
  get leftMs(): number | undefined {
    return this.#deadlineMs === undefined ? undefined : Math.max(0, this.#deadlineMs - performance.now());
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended !== undefined && !this.#controller.signal.aborted) this.#controller.abort(this.#ended);
    return this.#controller.signal;
  }

  get answerMetadata(): Map<string, string> {
    return (this.#answerMetadata ??= new Map());
  }

  /** The metadata to send with the answer; undefined if no handler used it. Throws INTERNAL if it is invalid. */
  metadataToSend(): Metadata | undefined {
    if (this.#answerMetadata === undefined || this.#answerMetadata.size === 0) return undefined;
    try {
      checkMetadata(this.#answerMetadata);
    } catch (cause) {
      throw CallError.internal(cause);
    }
    return this.#answerMetadata;
  }

  /** Throws if the deadline has passed or the caller has left, so that no work starts for a call that has ended. */
  throwIfEnded(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  /** Aborts the call because the caller has left. Ignored once the answer is sent, because connections also close after answers. */
  cancel(): void {
    if (!this.#finished) this.#end(callerCancelled());
  }

  /**
   * Aborts the call because its deadline has passed, for stacks that see it before the timer here: timers wait while an event loop is busy, such as
   * with a stream of answers that nobody takes any more.
   */
  expire(): void {
    if (!this.#finished) this.#end(deadlineExceeded());
  }

  /** Aborts the call because its server stops. */
  stop(): void {
    if (!this.#finished) this.#end(serverStopping());
  }

  /**
   * Counts the request as held, because its answer is not there at once: until the call ends, or the next request of its stream. Ends the call with
   * RESOURCE_EXHAUSTED if its connection or the process would hold too much.
   */
  hold(request: Message): void {
    if (this.#ended !== undefined || this.#finished) return;
    this.#release();
    const memory = heldBy(this.connection);
    const bytes = callBytes + bytesInMemory(request);
    if (memory.take(bytes)) {
      this.#memory = memory;
      this.#heldBytes = bytes;
    } else this.#end(memoryExhausted());
  }

  /** Whether {@link hold} has counted a request. */
  get isHolding(): boolean {
    return this.#memory !== undefined;
  }

  /**
   * Resolves to the handler's answer, or rejects as soon as the call ends. Always rejects with a CallError.
   * @param operation the id of the operation that was called
   */
  race<T>(answer: Promise<T>, operation = ""): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const raced = this.#onEnd;
      if (this.#ended !== undefined) reject(this.#ended);
      else if (raced === undefined) this.#onEnd = reject;
      else {
        this.#onEnd = (error) => {
          raced(error);
          reject(error);
        };
      }
      // Attached even if the call has ended, so that a late rejection of the handler is not an unhandled one.
      const succeed = (value: T): void => {
        this.#release();
        resolve(value);
      };
      const fail = (thrown: unknown): void => {
        this.#release();
        reject(CallError.from(thrown, operation));
      };
      answer.then(succeed, fail);
    });
  }

  /** Has the listener called when the call is over. One listener for each call. */
  whenFinished(listener: () => void): void {
    this.#onFinish = listener;
  }

  /** Has the listener called if the answer cannot be sent, before the caller gets the error. One listener for each call. */
  whenUnsent(listener: (error: CallError) => void): void {
    this.#onUnsent = listener;
  }

  /** The error to send in place of an answer that a style cannot express. */
  unsent(thrown: unknown, operation: string): CallError {
    const error = CallError.from(thrown, operation);
    this.#onUnsent?.(error);
    return error;
  }

  /** Marks the answer as sent: the deadline and the caller's disconnect no longer matter. Called once for every call. */
  finish(): void {
    this.#finished = true;
    clearTimeout(this.#timer);
    this.#onEnd = undefined;
    this.#release();
    this.#onFinish?.();
  }

  #release(): void {
    this.#memory?.giveBack(this.#heldBytes);
    this.#memory = undefined;
  }

  #end(error: CallError): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    clearTimeout(this.#timer);
    this.#release();
    this.#controller?.abort(error);
    this.#onEnd?.(error);
  }
}

interface Connection {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  /** Of a session of HTTP/2, until it is closed. */
  readonly socket?: Connection | undefined;
}

/**
 * The address of the client on a connection, for logs: `127.0.0.1:54321` or `[::1]:54321`; empty without a socket, or if it is closed.
 * @param connection a socket, or a session of HTTP/2
 */
export function clientAddress(connection: object | undefined): string {
  const { socket = connection } = (connection ?? {}) as Connection;
  const { remoteAddress, remotePort } = (socket ?? {}) as Connection;
  if (remoteAddress === undefined) return "";
  return `${remoteAddress.includes(":") ? `[${remoteAddress}]` : remoteAddress}:${remotePort ?? ""}`;
}
