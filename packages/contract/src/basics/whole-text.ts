// Rejects text with half a surrogate pair. UTF-8 cannot encode it, and encoders silently replace it by another character.
import type { Message } from "@bufbuild/protobuf";
import { CallError } from "./call-error.ts";

/** The first byte of U+FFFD, the replacement character. */
const replacementByte = 0xef;

function isWhole(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWhole(inner));
}

/**
 * Throws INVALID_ARGUMENT if a string in the message has half a surrogate pair. `encoded` is the message in protobuf's binary form. The
 * message is searched only if these bytes may contain a replacement character.
 */
export function checkWholeText(message: Message, encoded: Uint8Array): void {
  if (!encoded.includes(replacementByte) || isWhole(message)) return;
  throw new CallError("INVALID_ARGUMENT", `a text in ${message.$typeName} has half a surrogate pair`);
}
