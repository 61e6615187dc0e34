// The headers of a call in a log: a copy, because those of a style refer to the whole request.
import { isReservedMetadata, type Metadata } from "@roundtrip/contract";
import { sessionMetadataName } from "../basics/session-metadata.ts";

/** Further headers are not kept. */
const maxKeptBytes = 8 * 1024;
const bytesPerHeader = 32;

const none: Metadata = new Map();

/** The size of headers in memory, in bytes. */
export function headerBytes(headers: Metadata): number {
  let bytes = 0;
  for (const [name, value] of headers) bytes += name.length + value.length + bytesPerHeader;
  return bytes;
}

/** A copy without the headers of the protocols and without the name of the session, which records have. */
export function keptHeaders(metadata: Metadata | undefined): Metadata {
  if (metadata === undefined || metadata.size === 0) return none;
  const kept = new Map<string, string>();
  let bytes = 0;
  for (const [name, value] of metadata) {
    if (name === sessionMetadataName || isReservedMetadata(name)) continue;
    bytes += name.length + value.length + bytesPerHeader;
    if (bytes > maxKeptBytes) break;
    kept.set(name, value);
  }
  return kept.size === 0 ? none : kept;
}
