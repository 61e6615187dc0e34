// Compressions of Connect's library: its own, and deflate, which gRPC has too.
import { Code, ConnectError } from "@connectrpc/connect";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import type { Compression } from "@connectrpc/connect/protocol";
import { promisify } from "node:util";
import { deflate as deflateBytes, inflate as inflateBytes } from "node:zlib";

const deflated = promisify(deflateBytes);
const inflated = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(inflateBytes);

const deflate: Compression = {
  name: "deflate",
  async compress(bytes) {
    return new Uint8Array(await deflated(bytes));
  },
  async decompress(bytes, maxBytes) {
    if (bytes.length === 0) return new Uint8Array();
    try {
      return new Uint8Array(await inflated(bytes, { maxOutputLength: maxBytes }));
    } catch (cause) {
      const isTooLarge = (cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
      throw isTooLarge
        ? new ConnectError(`the message is larger than ${maxBytes} bytes`, Code.ResourceExhausted)
        : new ConnectError("the message is no valid deflate", Code.InvalidArgument);
    }
  },
};

/** What both ends read. */
export const readCompressions: readonly Compression[] = [compressionGzip, compressionBrotli, deflate];

/** The option for requests with the compression of this name; none for `identity`. */
export function sendCompression(name: string): { readonly sendCompression?: Compression } {
  const compression = readCompressions.find((one) => one.name === name);
  return compression === undefined ? {} : { sendCompression: compression };
}
