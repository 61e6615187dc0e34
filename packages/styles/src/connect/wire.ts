// Connect on the wire: paths, headers, envelopes of streams, and calls by GET.
import type { DescMethod } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Level } from "@bufbuild/protobuf/wkt";
import { CallError } from "@roundtrip/contract";

// Connect's wire format, with the terms of https://connectrpc.com/docs/protocol.

/** How messages are written: protobuf's binary form, or its JSON. */
export type Encoding = "proto" | "json";

export function unaryType(encoding: Encoding): string {
  return `application/${encoding}`;
}

export function streamType(encoding: Encoding): string {
  return `application/connect+${encoding}`;
}

export const protocolVersion = "1";
export const versionHeader = "connect-protocol-version";
export const timeoutHeader = "connect-timeout-ms";

/** Unary answers have trailers as headers with this prefix ("Trailer-"). */
export const trailerPrefix = "trailer-";

/** The prefix of each message of a stream ("Enveloped-Message"): flags and the length. */
const envelopeBytes = 5;
export const compressedFlag = 0b01;
/** The last envelope of an answer ("EndStreamResponse"). */
export const endStreamFlag = 0b10;

/** A message of a stream. @param flags {@link endStreamFlag} or none. */
export function enveloped(message: Uint8Array, flags = 0): Buffer {
  const envelope = Buffer.allocUnsafe(envelopeBytes + message.length);
  envelope[0] = flags;
  envelope.writeUInt32BE(message.length, 1);
  envelope.set(message, envelopeBytes);
  return envelope;
}

/** The headers of an answer over HTTP/2 to a request that has not arrived in time. */
export const lateRequest = { ":status": 408, "content-type": "application/json" } as const;

/** The headers of an answer over HTTP/2 to a request for which the server has no memory. */
export function exhaustedRequest() {
  return { ":status": 429, "content-type": "application/json" } as const;
}

// Splits the body of a stream into its envelopes.

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

// Calls without side effects as GET ("Unary-Get-Request").

/** Whether servers accept GET: bindings of `google.api.http` do not count. */
export function allowsGet({ idempotency, methodKind }: Pick<DescMethod, "idempotency" | "methodKind">): boolean {
  return methodKind === "unary" && idempotency === Level.NO_SIDE_EFFECTS;
}

/** The query with the message. Binary messages are base64 in the alphabet for URLs. */
export function queryOf(message: Uint8Array, encoding: Encoding): string {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const query =
    encoding === "proto"
      ? { connect: "v1", encoding, base64: "1", message: bytes.toString("base64url") }
      : { connect: "v1", encoding, message: bytes.toString() };
  return new URLSearchParams(query).toString();
}
