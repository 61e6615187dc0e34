// Metadata as lines `place = value`: bytes as what they are, however their base64 is written.
import { binaryMetadata, type Metadata } from "@roundtrip/contract";

/** The lines of some names, or of all; what else a style sends along is its own affair. */
export function metadataLines(place: string, metadata: Metadata, names = [...metadata.keys()]): [string, string][] {
  return names.flatMap((name): [string, string][] => {
    const value = metadata.get(name);
    if (value === undefined) return [];
    const shown = name.endsWith("-bin")
      ? `0x${Buffer.from(binaryMetadata.decode(value)).toString("hex")}`
      : JSON.stringify(value);
    return [[`${place}[${name}]`, shown]];
  });
}
