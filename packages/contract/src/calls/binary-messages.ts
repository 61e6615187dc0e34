// Messages in protobuf's binary form, for the stacks that send them so, with the errors that their callers get.
import { fromBinary, ScalarType, toBinary, type Message } from "@bufbuild/protobuf";
import { CallError } from "../basics/call-error.ts";
import { containsType, memoize } from "../descriptors/components.ts";
import type { Contract, Operation } from "../descriptors/contract.ts";
import { isTooLargeDecoded, maxDecodedBytes } from "./decoded-size.ts";

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

/** Messages whose unknown fields are read: extensions of them. */
const canBeExtended = containsType(({ proto }) => proto.extensionRange.length > 0);

/** Operations whose requests are passed on. */
const passedOn = new WeakSet<Operation>();

/** Has servers keep what the requests of a contract have beyond it, for a service that passes requests on. Call this before they are served. */
export function keepUnknownFields({ operations }: Contract): void {
  for (const operation of operations) passedOn.add(operation);
}

interface RequestDecoding {
  /** The options of `fromBinary`. Unknown fields would cost their sender two bytes, and the server a hundred times as many. */
  readonly options: { readonly readUnknownFields: boolean };
  /** Throws RESOURCE_EXHAUSTED for bytes that are too large when they are decoded. */
  readonly check: (bytes: Uint8Array) => void;
}

/** How servers decode the requests of an operation, for libraries that do it themselves. */
export const requestDecoding = memoize((operation: Operation): RequestDecoding => {
  const { input } = operation;
  const isTooLarge = isTooLargeDecoded(input);
  const message = `the request takes more than ${maxDecodedBytes} bytes when it is decoded: send fewer or larger values`;
  return {
    options: { readUnknownFields: canBeExtended(input) || passedOn.has(operation) },
    check(bytes) {
      if (isTooLarge(bytes)) throw new CallError("RESOURCE_EXHAUSTED", message);
    },
  };
});

/** Server: throws INVALID_ARGUMENT for bytes that are no request, and RESOURCE_EXHAUSTED for those that are too large when they are decoded. */
export function requestFromBinary(operation: Operation, bytes: Uint8Array): Message {
  const { options, check } = requestDecoding(operation);
  check(bytes);
  try {
    return fromBinary(operation.input, bytes, options);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", `the request is no ${operation.input.typeName}`, {}, { cause });
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
