// Bytes in text: base64 in its standard or its URL-safe alphabet, with all of its padding or with none (RFC 4648, sections 4 and 5).

const letters = /^[\w+/-]*={0,2}$/;

/** Whether a text is base64. What the last letter has beyond the last byte may be anything, as ProtoJSON's own suite has it. */
export function isBase64(text: string): boolean {
  if (!letters.test(text)) return false;
  return text.endsWith("=") ? text.length % 4 === 0 : text.length % 4 !== 1;
}

/**
 * Bytes as base64, in the standard alphabet with padding. Node.js does in 28 µs for 64 KiB what protobuf-es takes a millisecond for, which
 * puts a text together letter by letter.
 */
export function textOfBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** The bytes of a text that {@link isBase64}, in memory of their own. */
export function bytesOfText(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  // Small ones stand in a pool that many share: whoever keeps one would keep them all.
  return bytes.length === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}
