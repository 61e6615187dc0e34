// One message in a log. Messages do not change after they were sent or answered, so most are kept without a copy, and are encoded or
// converted to JSON when the log is read.
import { toBinary, toJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { messageCopy, type MessageCopy } from "./message-copy.ts";
import { sizeIn } from "./message-size.ts";
import { redactedCopy } from "./redacted.ts";

/** For one direction of one call; messages beyond the limit are only counted. */
export const maxKeptBytes = 1024 * 1024;

/** The copy of a message for a log, and its size; undefined if it exceeds the limit. */
export type Keep = (message: Message, maxBytes: number) => MessageCopy | undefined;

/**
 * Keeps messages of a type without a copy, except those with bytes: these may be a small part of a large buffer from the network, which would stay
 * in memory.
 */
export function keepOriginal(schema: DescMessage): Keep {
  const sizeOf = sizeIn(schema);
  return (message, maxBytes) => {
    const bytes = sizeOf(message);
    return bytes > maxBytes ? messageCopy(message, maxBytes) : { message, bytes };
  };
}

/** Its length in protobuf's binary format. */
export function encodedBytes(schema: DescMessage, message: Message): number {
  try {
    return toBinary(schema, message).length;
  } catch {
    // A handler may return a message that cannot be encoded. The stack reports that to the caller.
    return 0;
  }
}

/** In ProtoJSON, with fields that the contract marks `debug_redact` masked. An `Any` of an unknown type makes its message null. */
export function shownMessage(schema: DescMessage, message: Message, { registry }: Contract): JsonValue {
  try {
    return toJson(schema, redactedCopy(schema, message, registry), { registry });
  } catch {
    return null;
  }
}
