// The headers of a call in a log.
import { isReservedMetadata, maxMetadataBytes, type Metadata } from "@roundtrip/contract";
import { sessionMetadataName } from "../basics/session-metadata.ts";

/** Without the headers of the protocols, and without the name of the session, which records have. Very long ones are cut. */
export function ownHeaders(metadata: Metadata): Metadata {
  const own = new Map<string, string>();
  let characters = 0;
  for (const [name, value] of metadata) {
    if (name === sessionMetadataName || isReservedMetadata(name)) continue;
    characters += name.length + value.length;
    if (characters > maxMetadataBytes) break;
    own.set(name, value);
  }
  return own;
}
