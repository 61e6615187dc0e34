// Bytes in text: base64 in its standard or its URL-safe alphabet, with all of its padding or with none (RFC 4648, sections 4 and 5).

const letters = /^[\w+/-]*={0,2}$/;

/** Whether a text is base64. What the last letter has beyond the last byte may be anything, as ProtoJSON's own suite has it. */
export function isBase64(text: string): boolean {
  if (!letters.test(text)) return false;
  return text.endsWith("=") ? text.length % 4 === 0 : text.length % 4 !== 1;
}
