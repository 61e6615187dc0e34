// Reads decompressed bodies from node:http, up to a limit.
import type { IncomingMessage } from "node:http";
import { type ContentDecoder, contentDecoder } from "./content-decoder.ts";
import type { ReadBytes } from "./read-body.ts";

/** Whether a request has a body (RFC 9112, section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/** Reads bodies of at most `maxBytes`. The rest of an unreadable body is received and discarded. */
export function decodedBytes(maxBytes: number): ReadBytes {
  return (request, _response, done) => {
    if (!hasBody(request)) {
      done(undefined);
      return;
    }
    let decoder: ContentDecoder | undefined;
    try {
      decoder = contentDecoder(request.headers["content-encoding"]);
    } catch (thrown) {
      done(thrown);
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isOver = false;
    const end = (thrown?: unknown): void => {
      if (isOver) return;
      isOver = true;
      if (decoder !== undefined) {
        request.unpipe(decoder);
        decoder.destroy();
        request.resume();
      }
      done(thrown, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    };
    const body = decoder === undefined ? request : request.pipe(decoder);
    body.on("data", (chunk: Buffer) => {
      if (isOver) return;
      bytes += chunk.length;
      if (bytes > maxBytes) end({ status: 413 });
      else chunks.push(chunk);
    });
    body.on("end", () => end()).on("error", end);
    // If the caller disconnects, the decoder reports nothing.
    if (decoder !== undefined) request.on("error", end);
  };
}
