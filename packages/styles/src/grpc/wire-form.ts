// How calls look on the wire, in the words of https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md.
import { canonicalCodes, type Operation } from "@roundtrip/contract";

/** `/package.Service/Method` */
export function pathOf({ method }: Operation): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** Whether a method takes a stream of requests. */
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

/** What gRPC puts before each message: whether it is compressed, and its length. */
export const prefixBytes = 5;

/**
 * A message as it travels, uncompressed ("Length-Prefixed-Message").
 * @param lengthBytes what its prefix says
 */
export function framed(message: Uint8Array, lengthBytes = message.length): Buffer {
  const frame = Buffer.alloc(prefixBytes + message.length);
  frame.writeUInt32BE(lengthBytes, 1);
  frame.set(message, prefixBytes);
  return frame;
}

/** The headers that are all of an answer ("Trailers-Only") to a request that has not come whole in time. */
export const lateRequest = {
  ":status": 200,
  "content-type": "application/grpc",
  "grpc-status": canonicalCodes.DEADLINE_EXCEEDED.grpc,
  "grpc-message": "the request took too long to arrive",
} as const;
