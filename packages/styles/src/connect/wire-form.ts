// Connect's wire format, with the terms of https://connectrpc.com/docs/protocol.
import type { Operation } from "@roundtrip/contract";

/** `/package.Service/Method` */
export function pathOf({ method }: Pick<Operation, "method">): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** How messages are written: protobuf's binary form, or its JSON. */
export type Encoding = "proto" | "json";

/** The media type of a call with one request and one answer. */
export function unaryType(encoding: Encoding): string {
  return `application/${encoding}`;
}

/** The media type of a call with streams. */
export function streamType(encoding: Encoding): string {
  return `application/connect+${encoding}`;
}

export const protocolVersion = "1";
export const versionHeader = "connect-protocol-version";
export const timeoutHeader = "connect-timeout-ms";

/** Unary answers have trailers as headers with this prefix ("Trailer-"). */
export const trailerPrefix = "trailer-";

/** The prefix of each message of a stream ("Enveloped-Message"): flags and the length. */
export const envelopeBytes = 5;
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

export function streamsRequests({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "client_streaming" || kind === "bidi_streaming";
}

/** The headers of an answer over HTTP/2 to a request that has not arrived in time. */
export const lateRequest = { ":status": 408, "content-type": "application/json" } as const;
