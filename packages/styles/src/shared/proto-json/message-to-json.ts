// Writes ProtoJSON with protobuf-es, except bytes, which Node.js encodes faster.
import { toJson, type DescMessage, type JsonValue, type JsonWriteOptions, type Message } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { lostInJson } from "./lost-in-json.ts";
import { MessageBytes } from "./message-bytes.ts";
import { ExtractedBytes } from "./extracted-bytes.ts";

/** Throws an Error for a message of another type, and for values that JSON would change. */
export type MessageToJson = (message: Message) => JsonValue;

/** Compiles a writer of a type's ProtoJSON. Types without bytes cost nothing extra. */
export function messageToJson(type: DescMessage, options?: Partial<JsonWriteOptions>): MessageToJson {
  const check = lostInJson(type);
  const write = spelled(type, options);
  if (check === undefined) return write;
  return (message) => {
    check(message);
    return write(message);
  };
}

function spelled(type: DescMessage, options?: Partial<JsonWriteOptions>): MessageToJson {
  const extract = new MessageBytes(options?.registry).ofMessage(type);
  if (extract === undefined) return (message) => toJson(type, message, options);
  return (message) => {
    const extracted = new ExtractedBytes();
    const rest = extract(message, extracted) as Message;
    return extracted.putInto(toJson(type, rest, options));
  };
}

/** Whether a message can contain an Any or extensions, which need a registry. Options with a registry cost a copy per answer. */
export function needsRegistry(message: DescMessage, seen = new Set<DescMessage>()): boolean {
  if (seen.has(message)) return false;
  seen.add(message);
  return (
    message.typeName === AnySchema.typeName ||
    message.proto.extensionRange.length > 0 ||
    message.fields.some((field) => field.message !== undefined && needsRegistry(field.message, seen))
  );
}
