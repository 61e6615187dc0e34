// Every value in a message and in the messages inside it, for limits on values wherever they are.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { KnownLimit } from "../basics/known-limits.ts";

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
function valuesIn(desc: DescMessage, message: Message): Generator<ValueIn> {
  return valuesBelow(reflect(desc, message));
}

/** True for a call with such a value in a request or an answer. */
export function anywhere(
  inRequest: (found: ValueIn) => boolean,
  inAnswer: (found: ValueIn) => boolean = inRequest,
): KnownLimit["appliesTo"] {
  return ({ operation: { input, output }, requests, reply }) =>
    requests.some((request) => [...valuesIn(input, request)].some(inRequest)) ||
    reply.answers.some((answer) => [...valuesIn(output, answer)].some(inAnswer));
}

/** A limit of every style that is written in JSON. */
export const notFiniteInAnyJson: KnownLimit = {
  reason: "a google.protobuf.Value is a number of JSON, which has none that is not finite",
  compared: "nothing",
  appliesTo: anywhere(
    ({ field, value }) =>
      field.parent.typeName === "google.protobuf.Value" && field.name === "number_value" && !Number.isFinite(value),
  ),
};
