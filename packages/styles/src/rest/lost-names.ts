// Fields that cannot have their usual name in JSON, because another field of the message has it.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { sharesJsonName, type Operation } from "@roundtrip/contract";

const known = new WeakMap<DescMessage, readonly DescField[]>();

/** The fields of a message itself. */
function sharing(message: DescMessage): readonly DescField[] {
  let fields = known.get(message);
  if (fields === undefined) known.set(message, (fields = message.fields.filter(sharesJsonName)));
  return fields;
}

/** What of request and answer is spelled otherwise than a reader of the contract would think, each with the reason. */
export function lostNames({ input, output }: Operation): readonly string[] {
  const seen = new Set([input, output]);
  const lost: string[] = [];
  // Grows while it is walked through.
  for (const message of seen) {
    for (const { name } of sharing(message)) {
      lost.push(`${message.name}.${name}: its name in JSON, which another field has too; it is "${name}" there`);
    }
    for (const field of message.fields) if (field.message !== undefined) seen.add(field.message);
  }
  return lost;
}
