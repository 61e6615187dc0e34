// Splits the body of a stream into its envelopes.
import { CallError } from "@roundtrip/contract";
import { envelopeBytes } from "./wire-form.ts";

export interface StreamEnvelope {
  readonly flags: number;
  readonly data: Uint8Array;
}

/** The envelopes of a body, on arrival. Throws RESOURCE_EXHAUSTED for one above `maxBytes`, and INTERNAL for one that is cut short. */
export async function* envelopesOf(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<StreamEnvelope, void, undefined> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  let needed = envelopeBytes;
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    while (bytes >= needed) {
      const all = waiting.length === 1 ? (waiting[0] as Uint8Array) : Buffer.concat(waiting, bytes);
      const head = Buffer.from(all.buffer, all.byteOffset, envelopeBytes);
      const length = head.readUInt32BE(1);
      if (length > maxBytes) {
        throw new CallError("RESOURCE_EXHAUSTED", `a message of the stream is larger than ${maxBytes} bytes`);
      }
      needed = envelopeBytes + length;
      waiting = [all];
      if (bytes < needed) break;
      yield { flags: head.readUInt8(0), data: all.subarray(envelopeBytes, needed) };
      const rest = all.subarray(needed);
      waiting = rest.length === 0 ? [] : [rest];
      bytes = rest.length;
      needed = envelopeBytes;
    }
  }
  if (bytes > 0) throw new CallError("INTERNAL", "the last message of the stream is cut short");
}
