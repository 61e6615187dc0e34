// Converts metadata between grpc-js and the form of the contract: values of one name joined, bytes as base64 text.
import { Metadata as GrpcMetadata, type MetadataValue, type MethodDefinition } from "@grpc/grpc-js";
import { binaryMetadata, checkMetadata, type Metadata, type OperationKind, ownMetadata } from "@roundtrip/contract";

// The grpc-js definition of an operation. Messages pass through as bytes, so that decoding and its errors are Roundtrip's.

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

function valueOf(name: string, text: string): MetadataValue {
  return name.endsWith("-bin") ? asBuffer(binaryMetadata.decode(text)) : text;
}

/** Converts metadata for sending. Throws INVALID_ARGUMENT for metadata that some style cannot carry. */
export function grpcMetadataOf(metadata: Metadata): GrpcMetadata {
  checkMetadata(metadata);
  const sent = new GrpcMetadata();
  for (const [name, text] of metadata) sent.set(name, valueOf(name, text));
  return sent;
}

function textOf(value: MetadataValue): string {
  return typeof value === "string" ? value : binaryMetadata.encode(value);
}

/** All received metadata, reserved names included. */
export function headersOf(received: GrpcMetadata): Record<string, string> {
  const entries = Object.entries<MetadataValue[]>(received.toJSON());
  return Object.fromEntries(entries.map(([name, values]) => [name, values.map(textOf).join(", ")]));
}

/** Whether a header is certainly missing. */
export function lacksHeader(received: GrpcMetadata, name: string): boolean {
  try {
    return received.get(name).length === 0;
  } catch {
    // grpc-js throws for an invalid name.
    return false;
  }
}

/** The metadata of an answer, without the names reserved by gRPC and HTTP. */
export function answerMetadataOf(received: GrpcMetadata): Metadata {
  return ownMetadata(Object.entries(headersOf(received)));
}
