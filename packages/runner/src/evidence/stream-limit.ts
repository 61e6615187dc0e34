// The limit of concurrent calls on one HTTP/2 connection, from the server's SETTINGS.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientHttp2Stream } from "node:http2";

/** Reports each stream that has sent its request. When a stream ends, the server's settings have arrived. */
const channel = "http2.client.stream.finish";

/** The value of a peer without a limit: RFC 9113, section 6.5.2. */
const unlimited = 2 ** 32 - 1;

/**
 * Does the work, and returns its result with the lowest limit of the HTTP/2 connections that it uses: undefined without such connections, or without
 * a limit. Subscribes to streams only during the work.
 */
export async function withStreamLimit<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly limit: number | undefined }> {
  let least = unlimited;
  const listen = (message: unknown): void => {
    const { stream } = message as { readonly stream?: ClientHttp2Stream };
    least = Math.min(least, stream?.session?.remoteSettings.maxConcurrentStreams ?? unlimited);
  };
  subscribe(channel, listen);
  try {
    const value = await work();
    return { value, limit: least === unlimited ? undefined : least };
  } finally {
    unsubscribe(channel, listen);
  }
}
