// Every value in a message and its nested messages, for limits on values anywhere.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { KnownLimit } from "../basics/known-limits.ts";

/** One value of a set field; for a list or map, one per element. */
export interface ValueIn {
  readonly field: DescField;
  /** In the form of reflection: messages are reflected. */
  readonly value: unknown;
}

function elementsOf(reflected: ReflectMessage, field: DescField): Iterable<unknown> {
  if (field.fieldKind === "list") return reflected.get(field);
  if (field.fieldKind === "map") return reflected.get(field).values();
  return [reflected.get(field)];
}

/** The values of this message, without nested ones. */
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

/** The values of a message and its nested messages, outermost first. The content of an `Any` counts as bytes. */
function valuesIn(desc: DescMessage, message: Message): Generator<ValueIn> {
  return valuesBelow(reflect(desc, message));
}

/** Whether a request or an answer of a call has such a value. */
export function anywhere(
  inRequest: (found: ValueIn) => boolean,
  inAnswer: (found: ValueIn) => boolean = inRequest,
): KnownLimit["appliesTo"] {
  return ({ operation: { input, output }, requests, reply }) =>
    requests.some((request) => [...valuesIn(input, request)].some(inRequest)) ||
    reply.answers.some((answer) => [...valuesIn(output, answer)].some(inAnswer));
}

/** A limit of every JSON style. */
export const notFiniteInAnyJson: KnownLimit = {
  reason: "a google.protobuf.Value is JSON, which has no NaN or infinity",
  compared: "nothing",
  appliesTo: anywhere(
    ({ field, value }) =>
      field.parent.typeName === "google.protobuf.Value" && field.name === "number_value" && !Number.isFinite(value),
  ),
};
