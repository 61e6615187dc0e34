// What is sent over HTTP/1.1 and what comes back, as values: every client library takes and gives the same.
import type { ExchangeLimits } from "./http-exchange.ts";

export interface HttpRequest extends ExchangeLimits {
  /** In capitals. */
  readonly method: string;
  /** Percent-encoded path with query, from the first slash on. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined or empty sends no body. */
  readonly body: string | Uint8Array | undefined;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The whole body. */
  readonly body: Buffer;
}

export interface HttpStreamRequest extends Omit<HttpRequest, "body"> {
  /** A stream is asked for its next piece once the connection has taken the one before, and told to stop when the call ends. */
  readonly body: HttpRequest["body"] | AsyncIterable<Uint8Array>;
}

/** A response whose body is yet to come. */
export interface HttpStream extends Pick<HttpResponse, "status" | "headers"> {
  /** The pieces of the body as they come, to be read once. Reading throws a CallError; stopping early ends the call. */
  readonly body: AsyncIterable<Buffer>;
}
