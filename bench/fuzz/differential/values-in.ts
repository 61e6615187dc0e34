// Every value in a message, and in the messages inside it: for questions about what a message holds somewhere.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";

/** One value of a field that is set; of a list or a map, one for each element. */
export interface ValueIn {
  readonly field: DescField;
  /** As reflection holds it: a message is a reflected one. */
  readonly value: unknown;
}

function elementsOf(reflected: ReflectMessage, field: DescField): Iterable<unknown> {
  if (field.fieldKind === "list") return reflected.get(field);
  if (field.fieldKind === "map") return reflected.get(field).values();
  return [reflected.get(field)];
}

/** The values of this message alone. */
export function* ownValues(reflected: ReflectMessage): Generator<ValueIn> {
  for (const field of reflected.fields) {
    if (!reflected.isSet(field)) continue;
    for (const value of elementsOf(reflected, field)) yield { field, value };
  }
}

function* valuesBelow(reflected: ReflectMessage): Generator<ValueIn> {
  for (const found of ownValues(reflected)) {
    yield found;
    if (found.field.message !== undefined) yield* valuesBelow(found.value as ReflectMessage);
  }
}

/** The values of a message and of all messages inside it, outermost first. What an `Any` packs is bytes here. */
export function valuesIn(desc: DescMessage, message: Message): Generator<ValueIn> {
  return valuesBelow(reflect(desc, message));
}
