// Compressions for Connect's library: those that gRPC and HTTP have, at the levels of all servers. The library's own brotli takes a hundred times as long.
import { Code, ConnectError } from "@connectrpc/connect";
import type { Compression } from "@connectrpc/connect/protocol";
import { codecOf } from "../codings.ts";

/** Not a Buffer, so that `bytes` fields have the same type on every stack. */
function bytesOf(data: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = data;
  // A small result would keep the whole chunk of the library.
  return 2 * length < buffer.byteLength
    ? new Uint8Array(data)
    : new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}

function compressionBy(name: string): Compression[] {
  const codec = codecOf(name);
  if (codec === undefined) return [];
  return [
    {
      name,
      compress: async (bytes) => bytesOf(await codec.compress(bytes)),
      async decompress(bytes, maxBytes) {
        if (bytes.length === 0) return new Uint8Array();
        try {
          return bytesOf(await codec.decompress(bytes, maxBytes));
        } catch (cause) {
          const isTooLarge = (cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
          throw isTooLarge
            ? new ConnectError(`the message is larger than ${maxBytes} bytes`, Code.ResourceExhausted)
            : new ConnectError(`the message is no valid ${name}`, Code.InvalidArgument);
        }
      },
    },
  ];
}

/** What both ends read. */
export const readCompressions: readonly Compression[] = ["gzip", "br", "deflate", "zstd"].flatMap(compressionBy);

/** The option for requests with the compression of this name; none for `identity`. */
export function sendCompression(name: string): { readonly sendCompression?: Compression } {
  const compression = readCompressions.find((candidate) => candidate.name === name);
  return compression === undefined ? {} : { sendCompression: compression };
}
