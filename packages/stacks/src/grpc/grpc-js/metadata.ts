// Metadata of a call as grpc-js holds it, and as the contract's rules write it: values of one name joined, bytes as base64 text.
import { Metadata as GrpcMetadata, type MetadataValue } from "@grpc/grpc-js";
import { binaryMetadata, checkMetadata, ownMetadata, type Metadata } from "@roundtrip/contract";
import { asBuffer } from "./method-definition.ts";

function valueOf(name: string, text: string): MetadataValue {
  return name.endsWith("-bin") ? asBuffer(binaryMetadata.decode(text)) : text;
}

/** As grpc-js sends it. Throws INVALID_ARGUMENT for what not every style could carry. */
export function grpcMetadataOf(metadata: Metadata): GrpcMetadata {
  checkMetadata(metadata);
  const sent = new GrpcMetadata();
  for (const [name, text] of metadata) sent.set(name, valueOf(name, text));
  return sent;
}

function textOf(value: MetadataValue): string {
  return typeof value === "string" ? value : binaryMetadata.encode(value);
}

/** Everything that came, reserved names too. */
export function headersOf(received: GrpcMetadata): Record<string, string> {
  const entries = Object.entries<MetadataValue[]>(received.toJSON());
  return Object.fromEntries(entries.map(([name, values]) => [name, values.map(textOf).join(", ")]));
}

/** Whether a name surely did not come. */
export function lacksHeader(received: GrpcMetadata, name: string): boolean {
  try {
    return received.get(name).length === 0;
  } catch {
    // The library throws for what is no name at all.
    return false;
  }
}

/** What came with an answer, without the names that belong to gRPC and HTTP. */
export function answerMetadataOf(received: GrpcMetadata): Metadata {
  return ownMetadata(Object.entries(headersOf(received)));
}
