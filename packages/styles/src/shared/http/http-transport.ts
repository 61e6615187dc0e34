// What a client library for HTTP/1.1 does: the client half of a style is a function of one, and knows no library.
import type { HttpRequest, HttpResponse, HttpStream, HttpStreamRequest } from "./http-message.ts";

/** Connections to one server. */
export interface HttpTransport {
  /**
   * Resolves to the response, whatever its status. Rejects with a CallError: UNAVAILABLE when the server cannot be reached or hangs
   * up, DEADLINE_EXCEEDED, CANCELLED, or RESOURCE_EXHAUSTED when the response is larger than allowed.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * The same for bodies that are streams: resolves once the response has begun. A stream has a connection of its own while it lasts,
   * beside those that calls are spread over.
   */
  stream(request: HttpStreamRequest): Promise<HttpStream>;
  /** Waits for calls in flight, then closes every connection. Closing twice is closing once. */
  close(): Promise<void>;
}

/** What the client half of a style has to know of a server. */
export interface ClientHalfOptions {
  readonly url: string;
  /** A larger response fails with RESOURCE_EXHAUSTED. */
  readonly maxMessageBytes: number;
}
