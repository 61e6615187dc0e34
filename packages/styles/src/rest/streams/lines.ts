// Newline-delimited JSON: one message per line, buffered up to the maximum message size.
import { CallError } from "@roundtrip/contract";

export const linesType = "application/x-ndjson";

/** The error of a line, and so a message, above the limit: RESOURCE_EXHAUSTED, with HTTP's more specific 413. */
export class LineTooLong extends CallError {
  constructor(maxBytes: number) {
    super("RESOURCE_EXHAUSTED", `a message of the stream is larger than ${maxBytes} bytes`);
  }
}

const newline = 0x0a;

/** The non-empty lines of a byte stream. Throws {@link LineTooLong} for a line above `maxBytes`. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end);
      if (begunBytes + rest.length > maxBytes) throw new LineTooLong(maxBytes);
      const line = begunBytes === 0 ? rest : Buffer.concat([...begun, rest]);
      begun = [];
      begunBytes = 0;
      start = end + 1;
      if (line.length > 0) yield line;
    }
    if (start === chunk.length) continue;
    begun.push(chunk.subarray(start));
    begunBytes += chunk.length - start;
    if (begunBytes > maxBytes) throw new LineTooLong(maxBytes);
  }
  if (begunBytes > 0) yield Buffer.concat(begun);
}
