// Calls over HTTP with any client library: requests, responses, streams, and the headers of a call.
import {
  callerCancelled,
  CallError,
  type CallOptions,
  checkMetadata,
  ClientSideError,
  deadlineExceeded,
  endlessMs,
  ownMetadata,
  untilEnded,
} from "@roundtrip/contract";
import { HeaderMap, withDeadline } from "../call-headers.ts";

// HTTP/1.1 requests and responses as values, for every client library.

export interface ExchangeLimits {
  /** Milliseconds until the exchange fails with DEADLINE_EXCEEDED; undefined waits without limit. */
  readonly timeoutMs: number | undefined;
  /** Its abort fails the exchange with CANCELLED. */
  readonly signal: AbortSignal | undefined;
}

export interface HttpRequest extends ExchangeLimits {
  /** In capitals. */
  readonly method: string;
  /** Percent-encoded path with query; begins with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined or empty sends no body. */
  readonly body: string | Uint8Array | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface HttpStreamRequest extends Omit<HttpRequest, "body"> {
  /** Each piece is requested after the connection has accepted the one before. The stream is closed when the call ends. */
  readonly body: HttpRequest["body"] | AsyncIterable<Uint8Array>;
}

/** A response without its body yet. */
export interface HttpStream extends Pick<HttpResponse, "status" | "headers"> {
  /** The pieces of the body on arrival; readable once. Reading throws a CallError; stopping early ends the call. */
  readonly body: AsyncIterable<Buffer>;
}

// The interface of an HTTP/1.1 client library. The client half of a style depends only on it.

export interface HttpTransport {
  /**
   * Resolves to the response with any status. Rejects with a CallError: UNAVAILABLE if the server is unreachable or closes the connection,
   * DEADLINE_EXCEEDED, CANCELLED, or RESOURCE_EXHAUSTED if the response exceeds the limit.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** The same for streamed bodies: resolves when the response begins. Each stream has its own connection, apart from those for calls. */
  stream(request: HttpStreamRequest): Promise<HttpStream>;
  /** Waits for calls in flight, then closes every connection. Further calls have no effect. */
  close(): Promise<void>;
}

export interface StyleClientOptions {
  readonly url: string;
  /** A larger response fails with RESOURCE_EXHAUSTED. */
  readonly maxMessageBytes: number;
}

export function responseTooLarge(maxBytes: number): CallError {
  return new CallError("RESOURCE_EXHAUSTED", `the response is larger than ${maxBytes} bytes`);
}

/** Reads the whole body. Rejects with RESOURCE_EXHAUSTED above the limit. */
export async function wholeResponse({ status, headers, body }: HttpStream, maxBytes: number): Promise<HttpResponse> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw responseTooLarge(maxBytes);
    pieces.push(piece);
  }
  const [first] = pieces;
  // Most bodies arrive in one piece and need no copy.
  return { status, headers, body: first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces, bytes) };
}

// Ends an HTTP exchange early: at the deadline, on abort, or on a failure. Client bindings extend it and handle the response.

interface Aborter {
  abort(reason: Error): void;
}

/** The error of an exchange that is over before it begins; undefined if it can begin. */
export function overBefore({ signal, timeoutMs }: ExchangeLimits): CallError | undefined {
  if (signal?.aborted === true) return callerCancelled();
  return timeoutMs !== undefined && timeoutMs <= 0 ? deadlineExceeded() : undefined;
}

function expire(exchange: HttpExchange): void {
  exchange.fail(deadlineExceeded());
}

/** One request and its response. A base class instead of a separate object, because every measured call makes one. */
export abstract class HttpExchange {
  readonly #signal: AbortSignal | undefined;
  readonly #reject: (error: CallError) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #aborter: Aborter | undefined;
  #failure: CallError | undefined;
  #isOver = false;
  /** Aborted when the exchange is over: then nothing reads the request stream. */
  #whenOver: AbortController | undefined;

  /** @param reject called with the first failure, unless the response is complete before. */
  constructor({ timeoutMs, signal }: ExchangeLimits, reject: (error: CallError) => void) {
    this.#reject = reject;
    this.#signal = signal;
    signal?.addEventListener("abort", this);
    if (timeoutMs !== undefined && timeoutMs < endlessMs) this.#timer = setTimeout(expire, timeoutMs, this);
  }

  /** The error of the exchange; undefined while it runs and after success. */
  protected get failure(): CallError | undefined {
    return this.#failure;
  }

  /** Handles the caller's abort: the exchange is the event listener. */
  handleEvent(): void {
    this.fail(callerCancelled());
  }

  /** Ends the exchange with an error, unless it is over. */
  fail(error: CallError): void {
    if (this.#isOver) return;
    this.#failure = error;
    this.#reject(error);
    this.over();
    this.#aborter?.abort(error);
  }

  /** Registers the library's request. A failure aborts it, at once if it has already occurred. */
  protected begun(aborter: Aborter): void {
    if (this.#failure === undefined) this.#aborter = aborter;
    else aborter.abort(this.#failure);
  }

  /** Marks the response as complete: nothing can end the exchange any more. */
  protected over(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this);
    this.#whenOver?.abort();
  }

  /** The request body for the library. A stream ends with the exchange, and an error in it fails the exchange. */
  requestBody(body: HttpStreamRequest["body"]): string | Uint8Array | AsyncIterable<Uint8Array> | null {
    if (typeof body !== "object" || body instanceof Uint8Array) return body ?? null;
    this.#whenOver = new AbortController();
    return this.#piecesUntilOver(body, this.#whenOver.signal);
  }

  /** The response body for its reader. Stopping early ends the exchange at once, even while a piece is awaited. */
  protected responseBody(pieces: AsyncGenerator<Buffer>): AsyncIterable<Buffer> {
    const iterator: AsyncIterator<Buffer> = {
      next: () => pieces.next(),
      return: () => {
        this.fail(callerCancelled());
        // The library may report the end that the reader requested.
        return pieces.return(undefined).catch(() => ({ done: true, value: undefined }));
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  async *#piecesUntilOver(pieces: AsyncIterable<Uint8Array>, over: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      yield* untilEnded(pieces, over);
    } catch (thrown) {
      if (!over.aborted) this.fail(CallError.from(thrown));
    }
  }
}

// Headers that a client sends and receives, and the error for an answer that does not match the contract.

type Headers = Readonly<Record<string, string>>;
type Head = Pick<HttpResponse, "status" | "headers">;

/** The headers of a call with its deadline and metadata. Throws INVALID_ARGUMENT for invalid metadata. */
export function requestHeaders(headers: Headers, options: CallOptions | undefined): Headers {
  const timed = withDeadline(headers, options?.timeoutMs);
  if (options?.metadata === undefined) return timed;
  checkMetadata(options.metadata);
  return { ...timed, ...Object.fromEntries(options.metadata) };
}

export function reportMetadata(options: CallOptions | undefined, head: Pick<Head, "headers">): void {
  options?.onMetadata?.(ownMetadata(new HeaderMap(head, ({ headers }) => headers)));
}

/** The error of an answer that does not match the contract, for example from another server. */
export function foreignAnswer({ status, headers }: Head, route: string, cause: unknown): ClientSideError {
  const type = String(headers["content-type"] ?? "no stated type");
  return new ClientSideError(
    "UNKNOWN",
    `${route} answered ${status} with ${type}, which is not of the contract`,
    {},
    { cause },
  );
}
