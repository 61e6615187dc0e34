// Messages in protobuf's binary form, for the stacks that send them so, with the errors that their callers get.
import { fromBinary, ScalarType, toBinary, type Message } from "@bufbuild/protobuf";
import { CallError } from "../basics/call-error.ts";
import { containsType } from "../descriptors/components.ts";
import type { Operation } from "../descriptors/contract.ts";

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

/** Whether messages of a type can contain text, at any depth. */
const canContainText = containsType(({ fields }) =>
  fields.some(
    (field) => field.scalar === ScalarType.STRING || (field.fieldKind === "map" && field.mapKey === ScalarType.STRING),
  ),
);

/** Client: {@link checkWholeText} for libraries that encode messages themselves. */
export function checkWholeRequest({ input }: Operation, request: Message): void {
  if (!canContainText(input) || isWhole(request)) return;
  throw new CallError("INVALID_ARGUMENT", `a text in ${request.$typeName} has half a surrogate pair`);
}

/** Client: throws INVALID_ARGUMENT for a message that cannot be written. */
export function requestToBinary({ input }: Operation, request: Message): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = toBinary(input, request);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", `the request is no valid ${input.typeName}`, {}, { cause });
  }
  checkWholeText(request, bytes);
  return bytes;
}

/** Server: throws INVALID_ARGUMENT for bytes that are no request. */
export function requestFromBinary({ input }: Operation, bytes: Uint8Array): Message {
  try {
    return fromBinary(input, bytes);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", `the request is no ${input.typeName}`, {}, { cause });
  }
}

/** Client: throws INTERNAL for bytes that are no response. */
export function responseFromBinary({ output }: Operation, bytes: Uint8Array): Message {
  try {
    return fromBinary(output, bytes);
  } catch (cause) {
    throw new CallError("INTERNAL", `the response is no ${output.typeName}`, {}, { cause });
  }
}
