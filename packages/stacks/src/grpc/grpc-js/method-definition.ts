// The grpc-js definition of an operation. Messages pass through as bytes, so that decoding and its errors are Roundtrip's.
import type { MethodDefinition } from "@grpc/grpc-js";
import type { OperationKind } from "@roundtrip/contract";

/** Converts a serialised message to a Buffer, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Converts a Buffer to a Uint8Array without a copy, so that `bytes` fields have the same type on every stack. */
export function asBytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

/** A method definition whose codecs do nothing. */
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
