// From ProtoJSON to a message that is what it would be in binary.
import {
  fromBinary,
  fromJson,
  ScalarType,
  toBinary,
  type DescMessage,
  type JsonReadOptions,
  type JsonValue,
  type Message,
} from "@bufbuild/protobuf";
import { holdsScalar } from "./exact-json.ts";

/** Reads a message. Throws an Error for what is none. */
export type MessageFromJson = (json: JsonValue) => Message;

const float = new Set([ScalarType.FLOAT]);

/** Compiles how a message is read from its ProtoJSON. */
export function messageFromJson(message: DescMessage, options: Partial<JsonReadOptions>): MessageFromJson {
  const read: MessageFromJson = (json) => fromJson(message, json, options);
  if (!holdsScalar(message, float)) return read;
  // A float has 32 bits, and JavaScript's numbers have 64: only binary makes the nearest float of what was written in decimals.
  return (json) => fromBinary(message, toBinary(message, read(json)));
}
