// The interface of an HTTP/1.1 client library. The client half of a style depends only on it.
import type { HttpRequest, HttpResponse, HttpStream, HttpStreamRequest } from "./http-message.ts";

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

export interface ClientHalfOptions {
  readonly url: string;
  /** A larger response fails with RESOURCE_EXHAUSTED. */
  readonly maxMessageBytes: number;
}
