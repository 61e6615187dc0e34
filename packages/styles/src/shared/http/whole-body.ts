// A response's body as a whole, no larger than allowed.
import { CallError } from "@roundtrip/contract";

/** The error of a response that has more than the bytes allowed. */
export function responseTooLarge(maxBytes: number): CallError {
  return new CallError("RESOURCE_EXHAUSTED", `the response is larger than ${maxBytes} bytes`);
}

/** The pieces of a body in one. Rejects with RESOURCE_EXHAUSTED once there are more bytes than allowed. */
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
