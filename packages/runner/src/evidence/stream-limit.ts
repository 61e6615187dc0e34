// How many calls a server lets one HTTP/2 connection have under way, as the server's SETTINGS say.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientHttp2Stream } from "node:http2";

/** Reports each stream that has sent its request. When a stream ends, the server's settings have arrived. */
const channel = "http2.client.stream.finish";

/** What a peer that sets no limit has: RFC 9113, section 6.5.2. */
const unlimited = 2 ** 32 - 1;

/**
 * Does the work, and looks at the connections that it goes over. Gives what it resolved to, and the least limit of these connections: undefined
 * where no stream of HTTP/2 was used, or none has a limit. Nothing subscribes to streams outside of it.
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
