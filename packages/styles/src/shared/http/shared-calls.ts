// The calls of one HTTP request that may have several. They share its headers, its deadline and the connection.
import type { Message } from "@bufbuild/protobuf";
import { bytesInMemory, CallError, ConnectionCut, maxDecodedBytes, ServerCall } from "@roundtrip/contract";
import { deadlineHeader, deadlineOf, type HeaderMap } from "../call-headers.ts";
import { type AnswerHeaders, receivedHeaders, type ReceivedRequest } from "./http-service.ts";

/** The first answers of a request are not counted: most requests have no more, and counting takes time. */
export const uncountedAnswers = 4;

/** What the answers of one request may take together, beside the first {@link uncountedAnswers}, in bytes of memory: as much as one message. */
export const maxAnswersBytes = maxDecodedBytes;

/** The error of the call whose answer passes {@link maxAnswersBytes}, and of all later ones, which are not called. */
export const answersExhausted = new CallError(
  "RESOURCE_EXHAUSTED",
  "the answers to this request take too much memory together: make fewer calls at once, or ask for less of each",
);

export class SharedCalls {
  readonly #deadline: string | string[] | undefined;
  readonly #metadata: HeaderMap<ReceivedRequest>;
  readonly #arrivedAtMs: number;
  readonly #connection: object;
  /** Calls without an answer yet: they are cancelled if the caller disconnects. */
  readonly #waiting = new Set<ServerCall>();
  #isGone = false;
  #headers: Record<string, string> | undefined;
  #cut: "before" | "inside" | undefined;
  #answers = 0;
  #answersBytes = 0;

  constructor(request: ReceivedRequest) {
    this.#metadata = receivedHeaders(request);
    this.#connection = request.socket;
    this.#deadline = request.headers[deadlineHeader];
    this.#arrivedAtMs = this.#deadline === undefined ? 0 : performance.now();
  }

  /** The answer metadata of the calls. Undefined without any. */
  get headers(): AnswerHeaders | undefined {
    return this.#headers;
  }

  /** How a handler has cut off the connection; undefined if none did. */
  get cut(): "before" | "inside" | undefined {
    return this.#cut;
  }

  /** An answer whose begin should be sent cannot be written: nothing is sent. */
  dropAnswer(): void {
    this.#cut = "before";
  }

  /** The answers so far are sent. */
  restart(): void {
    this.#answers = 0;
    this.#answersBytes = 0;
  }

  /**
   * Runs a call until its deadline or until the caller disconnects. Watches only calls that do not answer at once. Throws or rejects with a
   * CallError: if the call has ended, INVALID_ARGUMENT for a malformed deadline, {@link answersExhausted}, or what `answer` throws.
   */
  answerCall<T>(answer: (call: ServerCall) => T | Promise<T>): T | Promise<T> {
    if (this.#answersBytes > maxAnswersBytes) throw answersExhausted;
    const call = this.#begin();
    let answered: T | Promise<T>;
    try {
      answered = answer(call);
    } catch (thrown) {
      this.#finish(call);
      return this.#partOf(thrown) as T;
    }
    if (answered instanceof Promise) return this.#watch(call, answered);
    this.#finish(call);
    return this.#counted(answered);
  }

  /** Runs a stream until its deadline, or until the caller disconnects or stops reading. `fail` converts what `answers` throws. */
  async *answerStream<T>(
    answers: (call: ServerCall) => AsyncIterable<T>,
    fail: (thrown: unknown) => never,
  ): AsyncGenerator<T, void, undefined> {
    let call: ServerCall | undefined;
    let isOver = false;
    let hasBegun = false;
    try {
      call = this.#begin();
      this.#waiting.add(call);
      for await (const message of answers(call)) {
        if (!hasBegun) this.#sendMetadata(call);
        hasBegun = true;
        yield message;
      }
      isOver = true;
      if (!hasBegun) this.#sendMetadata(call);
    } catch (thrown) {
      if (call !== undefined && !hasBegun) this.#sendMetadata(call);
      if (thrown instanceof ConnectionCut) yield this.#partOf(thrown) as T;
      else fail(thrown);
    } finally {
      if (call !== undefined) this.#endStream(call, isOver);
    }
  }

  /** The caller has disconnected: cancels the calls without an answer. */
  cancel(): void {
    this.#isGone = true;
    for (const call of this.#waiting) call.cancel();
  }

  #begin(): ServerCall {
    const timeoutMs = deadlineOf(this.#deadline);
    const waitedMs = timeoutMs === undefined ? 0 : performance.now() - this.#arrivedAtMs;
    const leftMs = timeoutMs === undefined ? undefined : timeoutMs - waitedMs;
    const call = new ServerCall(leftMs, this.#metadata, this.#connection);
    if (this.#isGone) call.cancel();
    call.throwIfEnded();
    return call;
  }

  /** Adds metadata to that of the other calls; the different values of one name are joined. Throws a CallError for invalid metadata. */
  #sendMetadata(call: ServerCall): void {
    const metadata = call.metadataToSend();
    if (metadata === undefined) return;
    const headers = (this.#headers ??= {});
    for (const [name, value] of metadata) {
      const others = Object.hasOwn(headers, name) ? headers[name] : undefined;
      if (others === undefined) headers[name] = value;
      else if (!others.split(", ").includes(value)) headers[name] = `${others}, ${value}`;
    }
  }

  /** Notes a ConnectionCut, and returns the answer that is cut off, with those of the other calls. Rethrows everything else. */
  #partOf(thrown: unknown): Message {
    if (!(thrown instanceof ConnectionCut)) throw thrown;
    if (thrown.partOf === undefined) {
      this.#cut = "before";
      throw thrown;
    }
    this.#cut ??= "inside";
    return thrown.partOf;
  }

  #counted<T>(answer: T): T {
    this.#answers += 1;
    if (this.#answers <= uncountedAnswers) return answer;
    this.#answersBytes += bytesInMemory(answer);
    if (this.#answersBytes > maxAnswersBytes) throw answersExhausted;
    return answer;
  }

  #finish(call: ServerCall): void {
    call.finish();
    this.#sendMetadata(call);
  }

  #endStream(call: ServerCall, isOver: boolean): void {
    this.#waiting.delete(call);
    if (!isOver) call.cancel();
    call.finish();
  }

  #watch<T>(call: ServerCall, answer: Promise<T>): Promise<T> {
    this.#waiting.add(call);
    const over = (): void => {
      this.#waiting.delete(call);
      this.#finish(call);
    };
    return answer.then(
      (answered) => {
        over();
        return this.#counted(answered);
      },
      (thrown: unknown) => {
        over();
        return this.#partOf(thrown) as T;
      },
    );
  }
}
