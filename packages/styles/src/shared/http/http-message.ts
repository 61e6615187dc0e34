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
