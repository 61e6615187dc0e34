// Puts the fields that a stub writes over an answer that the fake has made.
import { clone, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { hasOwnJson, isObject } from "@roundtrip/contract";
import { copyField } from "../answers/echoed.ts";
import { fieldNamed } from "./read-message.ts";

function put(desc: DescMessage, json: object, written: Message, answer: Message): void {
  const [from, to] = [reflect(desc, written, false), reflect(desc, answer, false)];
  for (const [name, value] of Object.entries(json)) {
    const field = fieldNamed(desc, name);
    if (field === undefined) continue;
    const isInner = field.fieldKind === "message" && !hasOwnJson(field.message) && isObject(value) && to.isSet(field);
    if (isInner) put(field.message, value, from.get(field).message, to.get(field).message);
    else copyField(from, field, to, field);
  }
  // Extensions: the last value of a number counts.
  if (written.$unknown !== undefined) answer.$unknown = [...(answer.$unknown ?? []), ...written.$unknown];
}

/**
 * A copy of the answer. Messages inside keep the fields that are not written; lists and maps are replaced.
 * @param json as it was written: a field with its zero value is written too
 * @param written the message of it
 */
export function overlaid(desc: DescMessage, json: JsonValue, written: Message, answer: Message): Message {
  if (hasOwnJson(desc) || !isObject(json)) return written;
  const copy = clone(desc, answer);
  put(desc, json, written, copy);
  return copy;
}
