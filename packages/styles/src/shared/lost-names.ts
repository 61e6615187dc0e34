// Fields without their usual JSON name, because another field of the message has it.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { sharesJsonName, type Operation } from "@roundtrip/contract";

const known = new WeakMap<DescMessage, readonly DescField[]>();

function sharing(message: DescMessage): readonly DescField[] {
  let fields = known.get(message);
  if (fields === undefined) known.set(message, (fields = message.fields.filter(sharesJsonName)));
  return fields;
}

/** Fields of request and answer with an unusual JSON name, with the reason. */
export function lostNames({ input, output }: Operation): readonly string[] {
  const seen = new Set([input, output]);
  const lost: string[] = [];
  // The loop also visits types that it adds.
  for (const message of seen) {
    for (const { name } of sharing(message)) {
      lost.push(`${message.name}.${name}: its name in JSON, which another field has too; it is "${name}" there`);
    }
    for (const field of message.fields) if (field.message !== undefined) seen.add(field.message);
  }
  return lost;
}
