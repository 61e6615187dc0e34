// The connections that calls over HTTP/1.1 are spread over.
import type { Dispatcher } from "undici";

export interface HttpPool {
  /** Sends a request on a connection that is free, opens one, or waits for one. Its handler receives every event. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): unknown;
  /** Takes no new requests, waits for those there are, then closes every connection. */
  close(): Promise<void>;
}
