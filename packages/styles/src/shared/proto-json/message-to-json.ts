// From a message to ProtoJSON: protobuf-es writes, and Node.js spells the bytes, which protobuf-es spells letter by letter.
import { toJson, type DescMessage, type JsonValue, type JsonWriteOptions, type Message } from "@bufbuild/protobuf";
import { lostInJson } from "./lost-in-json.ts";
import { MessageBytes } from "./message-bytes.ts";
import { TakenBytes } from "./taken-bytes.ts";

/** Writes a message. Throws an Error for one that is none of its type, or that JSON would change. */
export type MessageToJson = (message: Message) => JsonValue;

/** Compiles how a message is written as ProtoJSON. A type that can hold no bytes pays nothing. */
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
  const take = new MessageBytes(options?.registry).ofMessage(type);
  if (take === undefined) return (message) => toJson(type, message, options);
  return (message) => {
    const taken = new TakenBytes();
    const rest = take(message, taken) as Message;
    return taken.putInto(toJson(type, rest, options));
  };
}
