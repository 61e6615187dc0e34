// What field behaviors (AIP-203) mean for a resource that is written: callers cannot set OUTPUT_ONLY fields, and cannot change IMMUTABLE ones.
import { create, equals, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { CallError, type FieldViolation, type Operation } from "@roundtrip/contract";
import { hasBehavior, hasBehaviorInside, withoutBehavior } from "@roundtrip/contract/field-rules";
import { copyField } from "../answers/echoed.ts";
import type { Resource } from "./resource.ts";

/** The same message without what the service ignores in it; a copy if there is any. */
export type IgnoreInRequest = (request: Message) => Message;

/**
 * Ignores the OUTPUT_ONLY fields of requests. Fields of the URL and keys stay, because they name the resource, and so do etags, which
 * name what was read.
 */
export function readingRequests(resources: readonly Resource[], { input, bindings }: Operation): IgnoreInRequest {
  if (!hasBehaviorInside(input, "output-only")) return (request) => request;
  const keys = new Set(resources.flatMap(({ key }) => key.map(({ field }) => field)));
  const inPaths = bindings.flatMap(({ path }) => path.variables.map(({ fieldPath }) => fieldPath.join(".")));
  const paths = new Set(inPaths);
  const isIgnored = (field: DescField, path: string): boolean =>
    !keys.has(field) && !paths.has(path) && field.name !== "etag";
  return (request) => withoutBehavior(input, request, "output-only", isIgnored);
}

/** Both messages of one type, before and after a change. */
interface Change {
  readonly before: ReflectMessage;
  readonly after: ReflectMessage;
}

function only(message: ReflectMessage, field: DescField): Message {
  const reflected = reflect(message.desc, create(message.desc), false);
  copyField(message, field, reflected, field);
  return reflected.message;
}

function isEqual({ before, after }: Change, field: DescField): boolean {
  return equals(before.desc, only(before, field), only(after, field));
}

function changedFields(change: Change, isKept: ReadonlySet<DescField | undefined>, prefix: string): string[] {
  const { before, after } = change;
  return before.fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    if (isKept.has(field)) return [];
    if (hasBehavior(field, "immutable") || hasBehavior(field, "identifier")) {
      // A request without the field does not ask for a change.
      if (!after.isSet(field)) copyField(before, field, after, field);
      return isEqual(change, field) ? [] : [path];
    }
    if (field.fieldKind !== "message" || !hasBehaviorInside(field.message, "immutable")) return [];
    if (!before.isSet(field) || !after.isSet(field)) return [];
    return changedFields({ before: before.get(field), after: after.get(field) }, isKept, `${path}.`);
  });
}

/**
 * Throws INVALID_ARGUMENT if an immutable field of a resource would get another value; one that is missing after the change is restored. The key
 * is not compared, because it names the resource.
 */
export function requireUnchanged({ message: desc, key, singular }: Resource, before: Message, after: Message): void {
  if (!hasBehaviorInside(desc, "immutable") && !hasBehaviorInside(desc, "identifier")) return;
  const keys = new Set(key.map(({ field }) => field));
  const change = { before: reflect(desc, before, false), after: reflect(desc, after, false) };
  const violations = changedFields(change, keys, `${singular}.`).map((field): FieldViolation => {
    return { field, description: "cannot be changed after creation", reason: "immutable" };
  });
  const [first] = violations;
  if (first === undefined) return;
  throw new CallError("INVALID_ARGUMENT", `${first.field}: ${first.description}`, { violations });
}

/** Copies the OUTPUT_ONLY fields of messages inside a message from another one, where both have the message around them. */
export function copyOutputOnly(desc: DescMessage, from: Message, to: Message): void {
  copyInside(reflect(desc, from, false), reflect(desc, to, false));
}

function copyInside(from: ReflectMessage, to: ReflectMessage): void {
  for (const field of to.fields) {
    if (field.fieldKind !== "message" || !hasBehaviorInside(field.message, "output-only")) continue;
    if (!from.isSet(field) || !to.isSet(field)) continue;
    const [source, target] = [from.get(field), to.get(field)];
    for (const inner of target.fields)
      if (hasBehavior(inner, "output-only") && source.isSet(inner)) copyField(source, inner, target, inner);
    copyInside(source, target);
  }
}
