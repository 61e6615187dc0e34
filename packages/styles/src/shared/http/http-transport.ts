// The interface of a client library for HTTP/1.1. The client half of a style is a function of it and knows no library.
import type { HttpRequest, HttpResponse, HttpStream, HttpStreamRequest } from "./http-message.ts";

/** Connections to one server. */
export interface HttpTransport {
  /**
   * Resolves to the response, whatever its status. Rejects with a CallError: UNAVAILABLE if the server cannot be reached or closes
   * the connection, DEADLINE_EXCEEDED, CANCELLED, or RESOURCE_EXHAUSTED if the response exceeds the limit.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * The same for streamed bodies: resolves once the response has begun. Each stream has a connection of its own,
   * apart from the connections for calls.
   */
  stream(request: HttpStreamRequest): Promise<HttpStream>;
  /** Waits for calls in flight, then closes every connection. Further calls have no effect. */
  close(): Promise<void>;
}

/** Options of the client half of a style. */
export interface ClientHalfOptions {
  readonly url: string;
  /** A larger response fails with RESOURCE_EXHAUSTED. */
  readonly maxMessageBytes: number;
}
