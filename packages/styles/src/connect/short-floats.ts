// Floats for Connect's library, whose JSON is that of protobuf-es: it writes 2.9000000953674316 where others write 2.9, and reads that as a double.
import { clone, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { containsType } from "@roundtrip/contract";
import { shortFloat } from "../shared/proto-json/scalars.ts";

const hasFloats = containsType(({ fields }) => fields.some(({ scalar }) => scalar === ScalarType.FLOAT));

type Change = (float: number) => number;

function changedValue({ scalar, message }: DescField, value: unknown, change: Change): unknown {
  if (scalar === ScalarType.FLOAT) return change(value as number);
  return message !== undefined && hasFloats(message) ? changeFloats(value as ReflectMessage, change) : value;
}

function changeFloats(message: ReflectMessage, change: Change): ReflectMessage {
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (field.fieldKind === "list") {
      const list = message.get(field);
      for (const [at, item] of [...list].entries()) list.set(at, changedValue(field, item, change));
    } else if (field.fieldKind === "map") {
      const map = message.get(field);
      for (const [key, value] of map) map.set(key, changedValue(field, value, change));
    } else message.set(field, changedValue(field, message.get(field), change));
  }
  return message;
}

/** The message with doubles for its floats whose texts are shorter. In binary they are the same floats. One in an Any stays as it is. */
export function withShortFloats(desc: DescMessage, message: Message): Message {
  return hasFloats(desc) ? changeFloats(reflect(desc, clone(desc, message), false), shortFloat).message : message;
}

/** Client: makes floats of the doubles that the library reads in JSON. Changes the message. */
export function withFloats(desc: DescMessage, message: Message): Message {
  if (hasFloats(desc)) changeFloats(reflect(desc, message, false), Math.fround);
  return message;
}
