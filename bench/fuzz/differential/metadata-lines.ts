// Metadata as lines `path = value`. Binary values are compared as bytes, whatever their base64 form.
import { binaryMetadata, type Metadata } from "@roundtrip/contract";

/** The lines of these names, or of all. Other metadata that a style adds is ignored. */
export function metadataLines(path: string, metadata: Metadata, names = [...metadata.keys()]): [string, string][] {
  return names.flatMap((name): [string, string][] => {
    const value = metadata.get(name);
    if (value === undefined) return [];
    const shown = name.endsWith("-bin")
      ? `0x${Buffer.from(binaryMetadata.decode(value)).toString("hex")}`
      : JSON.stringify(value);
    return [[`${path}[${name}]`, shown]];
  });
}
