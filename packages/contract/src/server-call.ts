// The server's side of one call: its deadline, its cancellation, and what it promises a handler.
import { CallError } from "./call-error.ts";
import { callerCancelled, deadlineExceeded, endlessMs } from "./ended-call.ts";
import { checkMetadata, type Metadata } from "./metadata.ts";
import type { CallContext } from "./call-context.ts";

const noMetadata: Metadata = new Map();

/**
 * Made by a stack for each call. Costs next to nothing while no one asks for the signal and no deadline is set:
 * most calls are answered at once.
 */
export class ServerCall implements CallContext {
  readonly metadata: Metadata;
  #answerMetadata: Map<string, string> | undefined;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended: CallError | undefined;
  #finished = false;
  #onEnd: ((error: CallError) => void) | undefined;

  /** @param timeoutMs milliseconds from now until DEADLINE_EXCEEDED; undefined for no deadline. */
  constructor(timeoutMs?: number, metadata: Metadata = noMetadata) {
    this.metadata = metadata;
    if (timeoutMs === undefined) return;
    if (timeoutMs <= 0) this.#end(deadlineExceeded());
    else if (timeoutMs < endlessMs) this.#timer = setTimeout(() => this.#end(deadlineExceeded()), timeoutMs);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended !== undefined && !this.#controller.signal.aborted) this.#controller.abort(this.#ended);
    return this.#controller.signal;
  }

  get answerMetadata(): Map<string, string> {
    return (this.#answerMetadata ??= new Map());
  }

  /** What there is to send with the answer; undefined when no handler asked. Throws INTERNAL when a style could not carry it. */
  metadataToSend(): Metadata | undefined {
    if (this.#answerMetadata === undefined || this.#answerMetadata.size === 0) return undefined;
    try {
      checkMetadata(this.#answerMetadata);
    } catch (cause) {
      throw new CallError("INTERNAL", "internal error", {}, { cause });
    }
    return this.#answerMetadata;
  }

  /** Throws when the deadline has passed or the caller has gone: no work is begun for nobody. */
  throwIfEnded(): void {
    if (this.#ended !== undefined) throw this.#ended;
  }

  /** The caller went away. Nothing happens when the answer is on its way already: connections close after answers too. */
  cancel(): void {
    if (!this.#finished) this.#end(callerCancelled());
  }

  /** Resolves like the handler's answer, or rejects as soon as the call ends before it. Always rejects with a CallError. */
  race<T>(answer: Promise<T>): Promise<T> {
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
      // Also when the call has ended: the handler's late rejection is heard, and so is no unhandled one.
      answer.then(resolve, (thrown: unknown) => reject(CallError.from(thrown)));
    });
  }

  /** The answer is on its way: neither the deadline nor the caller's going matters any more. Every call is finished once. */
  finish(): void {
    this.#finished = true;
    clearTimeout(this.#timer);
    this.#onEnd = undefined;
  }

  #end(error: CallError): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    clearTimeout(this.#timer);
    this.#controller?.abort(error);
    this.#onEnd?.(error);
  }
}
