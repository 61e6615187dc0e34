// gRPC's wire format, with the terms of https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md.
import { canonicalCodes, type Operation } from "@roundtrip/contract";

/** `/package.Service/Method` */
export function pathOf({ method }: Operation): string {
  return `/${method.parent.typeName}/${method.name}`;
}

export function streamsRequests({ kind }: Pick<Operation, "kind">): boolean {
  return kind === "client_streaming" || kind === "bidi_streaming";
}

/** The headers of a request ("Request-Headers"), without metadata. */
export function requestHeaders(operation: Operation) {
  return {
    ":method": "POST",
    ":path": pathOf(operation),
    "content-type": "application/grpc+proto",
    te: "trailers",
  };
}

/** Whether a Content-Type is gRPC's with protobuf messages, the only format here. */
export function isGrpc(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/grpc(?:\+proto)?(?:$|;)/.test(contentType);
}

/** The headers of an answer ("Response-Headers"), without metadata. */
export const answerHeaders = { ":status": 200, "content-type": "application/grpc+proto" } as const;

/** The prefix of each message: a compression flag and the length. */
export const prefixBytes = 5;

/** An uncompressed message on the wire ("Length-Prefixed-Message"). @param lengthBytes the length in its prefix. */
export function framed(message: Uint8Array, lengthBytes = message.length): Buffer {
  const frame = Buffer.allocUnsafe(prefixBytes + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(lengthBytes, 1);
  frame.set(message, prefixBytes);
  return frame;
}

/** The headers-only answer ("Trailers-Only") to a request that has not arrived in time. */
export const lateRequest = {
  ":status": 200,
  "content-type": "application/grpc",
  "grpc-status": canonicalCodes.DEADLINE_EXCEEDED.grpc,
  "grpc-message": "the request took too long to arrive",
} as const;
