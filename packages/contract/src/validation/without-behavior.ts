// Finds and removes the fields of a message that have a behavior, at any depth: what callers cannot set, or what no answer has.
import { clone, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { hasBehavior, hasBehaviorInside, type FieldBehavior } from "./field-behavior.ts";

/** Whether a field with the behavior counts. `path` has the names of the fields that lead to it, with dots between them. */
export type Counts = (field: DescField, path: string) => boolean;

interface Found {
  readonly message: ReflectMessage;
  readonly field: DescField;
  readonly path: string;
}

function* messagesIn(message: ReflectMessage, field: DescField): Iterable<ReflectMessage> {
  if (field.fieldKind === "message") yield message.get(field);
  else if (field.fieldKind === "list" && field.listKind === "message")
    yield* message.get(field) as Iterable<ReflectMessage>;
  else if (field.fieldKind === "map" && field.mapKind === "message")
    for (const [, value] of message.get(field) as Iterable<[unknown, ReflectMessage]>) yield value;
}

/** The set fields with this behavior. Fields inside one of them are not visited. */
function* setFields(
  message: ReflectMessage,
  behavior: FieldBehavior,
  counts: Counts,
  prefix = "",
): Generator<Found, void, undefined> {
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    const path = `${prefix}${field.name}`;
    if (hasBehavior(field, behavior) && counts(field, path)) yield { message, field, path };
    else if (field.message !== undefined && hasBehaviorInside(field.message, behavior))
      for (const inner of messagesIn(message, field)) yield* setFields(inner, behavior, counts, `${path}.`);
  }
}

const all: Counts = () => true;

/** The paths of the set fields with this behavior: names with dots between them. */
export function pathsWithBehavior(desc: DescMessage, message: Message, behavior: FieldBehavior): readonly string[] {
  if (!hasBehaviorInside(desc, behavior)) return [];
  return [...setFields(reflect(desc, message, false), behavior, all)].map(({ path }) => path);
}

/** The message without its fields with this behavior: the same object if none is set, otherwise a copy. */
export function withoutBehavior<M extends Message>(
  desc: DescMessage,
  message: M,
  behavior: FieldBehavior,
  counts: Counts = all,
): M {
  if (!hasBehaviorInside(desc, behavior)) return message;
  const [first] = setFields(reflect(desc, message, false), behavior, counts);
  if (first === undefined) return message;
  const copy = clone(desc, message) as M;
  for (const one of setFields(reflect(desc, copy, false), behavior, counts)) one.message.clear(one.field);
  return copy;
}
