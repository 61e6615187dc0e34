// An operation as grpc-js wants methods defined. Messages pass through it as bytes: decoding them is ours, and so are its errors.
import type { MethodDefinition } from "@grpc/grpc-js";
import type { OperationKind } from "@roundtrip/contract";

/** The serialised message as the Buffer that grpc-js wants, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The bytes of a message without Buffer's own methods, so that `bytes` fields are what they are on every stack. */
export function asBytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

/** A method of this kind, with codecs that do nothing. */
export function bytesMethod(path: string, kind: OperationKind): MethodDefinition<Uint8Array, Uint8Array> {
  return {
    path,
    requestStream: kind === "client_streaming" || kind === "bidi_streaming",
    responseStream: kind === "server_streaming" || kind === "bidi_streaming",
    requestSerialize: asBuffer,
    requestDeserialize: asBytes,
    responseSerialize: asBuffer,
    responseDeserialize: asBytes,
  };
}
