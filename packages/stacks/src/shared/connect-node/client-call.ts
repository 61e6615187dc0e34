// One call of a client on Connect's library: its transport, its options in the library's terms, and its errors in those of the contract.
import type { DescMethodStreaming, DescMethodUnary, Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import {
  callerCancelled,
  CallError,
  type CallOptions,
  checkMetadata,
  checkWholeRequest,
  codeFromGrpc,
  countedAnswers,
  deadlineExceeded,
  type Invoke,
  type InvokeStream,
  onlyRequest,
  type Operation,
  ownMetadata,
  type Requests,
  requestToBinary,
  stoppable,
  untilEnded,
} from "@roundtrip/contract";
import { BadRequestSchema, ErrorInfoSchema } from "@roundtrip/contract/gen/google/rpc/error_details_pb";
import { detailsOf, metadataHeaders, receivedMetadata } from "@roundtrip/styles/client";

/** The place of one call on the connections of a client. */
export interface CallSlot {
  readonly transport: Transport;
  /** Whether the server has refused the call without beginning with it. */
  readonly isRefused: boolean;
  /** Ends the call on both sides. */
  end(): void;
  /** The error of a connection that was not opened or is gone, or of a call that its server has reset; undefined for other errors. */
  lossOf(error: ConnectError): CallError | undefined;
}

export interface CallSlots {
  /** A place for the next call. The library's call has to be made in the same turn. Throws CANCELLED once the client is closed. */
  begin(operation: Operation): CallSlot;
}

/** The library writes gRPC's deadline in milliseconds, for which gRPC has eight digits: longer ones, of 27 hours, count as none. */
const longestTimeoutMs = 99_999_999;

interface LibraryOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  readonly header: Record<string, string>;
}

/** Throws a CallError for a call that is over before it begins, and for metadata that some style cannot carry. */
function libraryOptions({ signal, timeoutMs, metadata }: CallOptions): LibraryOptions {
  if (signal?.aborted === true) throw callerCancelled();
  if (metadata !== undefined) checkMetadata(metadata);
  if (timeoutMs !== undefined && timeoutMs <= 0) throw deadlineExceeded();
  return {
    signal,
    // The library sends the number as it is, and protocols have whole milliseconds.
    timeoutMs: timeoutMs === undefined || timeoutMs > longestTimeoutMs ? undefined : Math.ceil(timeoutMs),
    header: metadata === undefined ? {} : (metadataHeaders(metadata) as Record<string, string>),
  };
}

/** An error that the library made itself. It has INVALID_ARGUMENT and INTERNAL for answers of servers that speak another protocol. */
function ownError(error: ConnectError): CallError {
  const isForeign = error.code === Code.InvalidArgument || error.rawMessage.startsWith("unsupported content type");
  const code = isForeign ? "UNKNOWN" : codeFromGrpc(error.code);
  return new CallError(code, error.rawMessage, {}, { cause: error });
}

class LibraryCall {
  readonly options: LibraryOptions;
  readonly #operation: Operation;
  readonly #slot: CallSlot;
  /** On the clock of `performance`. */
  readonly #deadlineMs: number;
  #onMetadata: CallOptions["onMetadata"];

  /** Throws a CallError for invalid options, or once the client is closed. Make the library's call in the same turn, and call {@link end} afterwards. */
  constructor(operation: Operation, slots: CallSlots, options: CallOptions) {
    this.options = libraryOptions(options);
    this.#operation = operation;
    this.#onMetadata = options.onMetadata;
    this.#deadlineMs = performance.now() + (options.timeoutMs ?? Number.POSITIVE_INFINITY);
    this.#slot = slots.begin(operation);
  }

  get transport(): Transport {
    return this.#slot.transport;
  }

  get isRefused(): boolean {
    return this.#slot.isRefused;
  }

  end(): void {
    this.#slot.end();
  }

  takeMetadata(...headers: readonly Headers[]): void {
    const onMetadata = this.#onMetadata;
    this.#onMetadata = undefined;
    if (onMetadata === undefined) return;
    const entries = Object.fromEntries(headers.flatMap((one) => [...one]));
    onMetadata(ownMetadata(Object.entries(receivedMetadata(entries))));
  }

  /** The error of a call that the library has thrown. @param last the last request that was sent. */
  errorOf(thrown: unknown, last: Message | undefined): CallError {
    const error = ConnectError.from(thrown);
    const { rawMessage, code, isWireError } = error;
    if (isWireError) {
      this.takeMetadata(error.metadata);
      const [[info], [badRequest]] = [error.findDetails(ErrorInfoSchema), error.findDetails(BadRequestSchema)];
      return new CallError(codeFromGrpc(code), rawMessage, detailsOf(info, badRequest), { cause: error });
    }
    if (this.options.signal?.aborted === true) return callerCancelled();
    // A server may reset a call when its deadline passes, and be faster than the timer here.
    const isLate = code === Code.Canceled && performance.now() >= this.#deadlineMs;
    if (code === Code.DeadlineExceeded || isLate) return deadlineExceeded();
    return this.#slot.lossOf(error) ?? this.#unwritable(last) ?? ownError(error);
  }

  /** The library has INTERNAL for a request that it cannot write. */
  #unwritable(last: Message | undefined): CallError | undefined {
    try {
      if (last !== undefined) requestToBinary(this.#operation, last);
    } catch (thrown) {
      return CallError.from(thrown);
    }
    return undefined;
  }
}

/** Attempts of a call whose stream was refused: the server has not begun with it. */
const mostAttempts = 4;

const noCallOptions: CallOptions = {};

/** The options of another attempt: less time is left. */
function rest(options: CallOptions, startedAtMs: number): CallOptions {
  const { timeoutMs } = options;
  return timeoutMs === undefined
    ? options
    : { ...options, timeoutMs: Math.max(0, timeoutMs - (performance.now() - startedAtMs)) };
}

/** What becomes of each answer. */
type TakeAnswer = (answer: Message) => Message;

const asItIs: TakeAnswer = (answer) => answer;

export function unaryInvoke(operation: Operation, slots: CallSlots, take: TakeAnswer = asItIs): Invoke {
  const method = operation.method as DescMethodUnary;
  const attempt = async (request: Message, options: CallOptions, attemptsLeft: number): Promise<Message> => {
    const startedAtMs = performance.now();
    const call = new LibraryCall(operation, slots, options);
    const { signal, timeoutMs, header } = call.options;
    try {
      const answer = await call.transport.unary(method, signal, timeoutMs, header, request);
      if (options.onMetadata !== undefined) call.takeMetadata(answer.header, answer.trailer);
      return take(answer.message);
    } catch (thrown) {
      if (!call.isRefused || attemptsLeft === 1) throw call.errorOf(thrown, request);
    } finally {
      call.end();
    }
    return attempt(request, rest(options, startedAtMs), attemptsLeft - 1);
  };
  return async (request, options = noCallOptions) => {
    checkWholeRequest(operation, request);
    return attempt(request, options, mostAttempts);
  };
}

/** The requests of one call, as the library takes them. */
class SentRequests implements AsyncIterable<Message> {
  last: Message | undefined;
  /** The error of the caller's stream of requests. */
  fault: CallError | undefined;
  readonly #requests: AsyncGenerator<Message, void, undefined>;
  readonly #operation: Operation;
  readonly #ended = new AbortController();

  constructor(operation: Operation, requests: Requests) {
    this.#operation = operation;
    this.#requests = untilEnded(this.#from(requests), this.#ended.signal);
  }

  /** The call is over: no further request is taken from the caller. */
  end(): void {
    this.#ended.abort();
    this.#requests.return().catch(() => undefined);
  }

  /** The library calls `throw` when a call has failed, and asks for an iterator once more for that. Requests stop by {@link end}. */
  [Symbol.asyncIterator](): AsyncIterator<Message, undefined> {
    return {
      throw: () => Promise.resolve({ done: true, value: undefined }),
      next: async () => {
        try {
          const { done, value } = await this.#requests.next();
          if (done === true) return { done, value: undefined };
          checkWholeRequest(this.#operation, value);
          this.last = value;
          return { done: false, value };
        } catch (thrown) {
          this.fault ??= CallError.from(thrown);
          throw thrown;
        }
      },
    };
  }

  async *#from(requests: Requests): AsyncGenerator<Message, void, undefined> {
    if (this.#operation.kind === "server_streaming") yield await onlyRequest(requests);
    else for await (const request of requests) yield request;
  }
}

async function* answersOf(
  operation: Operation,
  slots: CallSlots,
  requests: Requests,
  options: CallOptions,
  take: TakeAnswer,
): AsyncGenerator<Message, void, undefined> {
  const call = new LibraryCall(operation, slots, options);
  const { signal, timeoutMs, header } = call.options;
  const sent = new SentRequests(operation, requests);
  let isFirst = true;
  try {
    const answer = await call.transport.stream(
      operation.method as DescMethodStreaming,
      signal,
      timeoutMs,
      header,
      sent,
    );
    for await (const message of answer.message) {
      // Not before: an error before the first answer may have its metadata at the end.
      if (isFirst) call.takeMetadata(answer.header);
      isFirst = false;
      yield take(message);
    }
    call.takeMetadata(answer.header, answer.trailer);
  } catch (thrown) {
    throw sent.fault ?? call.errorOf(thrown, sent.last);
  } finally {
    sent.end();
    call.end();
  }
}

export function streamInvoke(operation: Operation, slots: CallSlots, take: TakeAnswer = asItIs): InvokeStream {
  return stoppable((requests, options) =>
    countedAnswers(operation, answersOf(operation, slots, requests, options, take)),
  );
}
