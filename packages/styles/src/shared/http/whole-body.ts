// Reads a whole response body, up to a limit.
import { CallError } from "@roundtrip/contract";

/** The error of a response above the limit. */
export function responseTooLarge(maxBytes: number): CallError {
  return new CallError("RESOURCE_EXHAUSTED", `the response is larger than ${maxBytes} bytes`);
}

/** The pieces of a body, joined. Rejects with RESOURCE_EXHAUSTED once they exceed the limit. */
export async function wholeBody(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > maxBytes) throw responseTooLarge(maxBytes);
    chunks.push(piece);
  }
  return Buffer.concat(chunks, bytes);
}
