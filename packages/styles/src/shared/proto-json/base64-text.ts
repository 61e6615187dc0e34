// Base64 in the standard or the URL-safe alphabet, with full padding or none (RFC 4648, sections 4 and 5).
// Node.js needs 8 µs for 64 KiB; protobuf-es, which works letter by letter, needs most of a millisecond.

/** Bytes as base64, in the standard alphabet with padding. */
export function textOfBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** The number of bytes in base64 text; undefined if the length or the padding is invalid. */
function lengthOfBytes(text: string): number | undefined {
  const padding = text.endsWith("==") ? 2 : Number(text.endsWith("="));
  const isWhole = padding === 0 ? text.length % 4 !== 1 : text.length % 4 === 0;
  return isWhole ? Math.floor(((text.length - padding) * 3) / 4) : undefined;
}

/**
 * The bytes of a text, in their own memory; undefined if the text is not base64. The unused bits of the last letter may have any value, as in
 * ProtoJSON's own suite.
 */
export function bytesOfText(text: string): Uint8Array | undefined {
  const length = lengthOfBytes(text);
  // Node.js reads the lower byte of a letter beyond ASCII as another letter.
  if (length === undefined || Buffer.byteLength(text) !== text.length) return undefined;
  const bytes = Buffer.from(text, "base64");
  // Node.js skips invalid letters and stops at padding; then there are fewer bytes.
  if (bytes.length !== length) return undefined;
  // Small buffers share a pool: keeping one would keep the whole pool.
  return length === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}
