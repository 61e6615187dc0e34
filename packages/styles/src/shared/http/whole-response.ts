// Reads a whole response, up to a limit.
import { CallError } from "@roundtrip/contract";
import type { HttpResponse, HttpStream } from "./http-message.ts";

export function responseTooLarge(maxBytes: number): CallError {
  return new CallError("RESOURCE_EXHAUSTED", `the response is larger than ${maxBytes} bytes`);
}

/** Reads the whole body. Rejects with RESOURCE_EXHAUSTED above the limit. */
export async function wholeResponse({ status, headers, body }: HttpStream, maxBytes: number): Promise<HttpResponse> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw responseTooLarge(maxBytes);
    pieces.push(piece);
  }
  const [first] = pieces;
  // Most bodies arrive in one piece and need no copy.
  return { status, headers, body: first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces, bytes) };
}
