// What the HTTP/1.1 client sends, and what it gives back.
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
