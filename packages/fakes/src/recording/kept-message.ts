// One message as a log keeps it. Messages are not written to once they were sent or answered, so most are kept as they are, and are encoded or
// made JSON when somebody looks.
import { toBinary, toJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { messageCopy, type MessageCopy } from "./message-copy.ts";
import { sizeIn } from "./message-size.ts";
import { redactedCopy } from "./redacted.ts";

/** Of one direction of one call; what is beyond is counted only. */
export const maxKeptBytes = 1024 * 1024;

/** The copy of a message for a log, and its size; undefined if it exceeds the limit. */
export type Keep = (message: Message, maxBytes: number) => MessageCopy | undefined;

/**
 * Keeps messages of a type as they are. Those that hold bytes are copied: bytes may be a small part of all that came over a connection, which
 * would be kept with them.
 */
export function keepAsItIs(schema: DescMessage): Keep {
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
    // A handler may answer what cannot be written. Its caller hears that from the stack.
    return 0;
  }
}

/** In ProtoJSON, with what the contract marks `debug_redact` masked. An `Any` of a type that nobody knows makes its message null. */
export function shownMessage(schema: DescMessage, message: Message, { registry }: Contract): JsonValue {
  try {
    return toJson(schema, redactedCopy(schema, message, registry), { registry });
  } catch {
    return null;
  }
}
