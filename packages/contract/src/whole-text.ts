// Half a surrogate pair is no character: UTF-8 has no bytes for it, and encoders put another character in its place without a word.
import type { Message } from "@bufbuild/protobuf";
import { CallError } from "./call-error.ts";

/** The first byte of U+FFFD, which stands in the place of what cannot be encoded. */
const replacementByte = 0xef;

function isWhole(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWhole(inner));
}

/**
 * Throws INVALID_ARGUMENT when a text in the message has half a surrogate pair. `encoded` is the message in protobuf's binary form: only
 * where it may hold a replacement character is the message looked through.
 */
export function checkWholeText(message: Message, encoded: Uint8Array): void {
  if (!encoded.includes(replacementByte) || isWhole(message)) return;
  throw new CallError("INVALID_ARGUMENT", `a text in ${message.$typeName} has half a surrogate pair`);
}
