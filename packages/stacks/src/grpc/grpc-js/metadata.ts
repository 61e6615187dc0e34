// Converts metadata between grpc-js and the form of the contract: values of one name joined, bytes as base64 text.
import { Metadata as GrpcMetadata, type MetadataValue } from "@grpc/grpc-js";
import { binaryMetadata, checkMetadata, ownMetadata, type Metadata } from "@roundtrip/contract";
import { asBuffer } from "./method-definition.ts";

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
