// What a contract says of its fields with `google.api.field_behavior` (AIP-203): https://google.aip.dev/203. The option is read by its number, so a
// contract may have its own copy of the declaration.
import { containsType, memoize } from "../descriptors/components.ts";
import { type DescField, type DescMessage, clone, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { nounAfter } from "../resources/names.ts";

/** The number of `google.api.field_behavior` on fields. */
const behaviorOption = 1052;

/** The values of `google.api.FieldBehavior` that have an effect here, by number. */
const behaviors = {
  2: "required",
  3: "output-only",
  4: "input-only",
  5: "immutable",
  8: "identifier",
} as const;

export type FieldBehavior = (typeof behaviors)[keyof typeof behaviors];

function numbersIn(data: Uint8Array, wireType: WireType): readonly number[] {
  const reader = new BinaryReader(data);
  if (wireType !== WireType.LengthDelimited) return [reader.int32()];
  const packed = new BinaryReader(reader.bytes());
  const numbers: number[] = [];
  while (packed.pos < packed.len) numbers.push(packed.int32());
  return numbers;
}

/** The behaviors of a field; empty without the option. */
const behaviorsOf = memoize((field: DescField): ReadonlySet<FieldBehavior> => {
  const options = field.proto.options?.$unknown?.filter(({ no }) => no === behaviorOption) ?? [];
  const numbers = options.flatMap(({ data, wireType }) => numbersIn(data, wireType));
  const known = behaviors as Readonly<Record<number, FieldBehavior | undefined>>;
  return new Set(numbers.map((number) => known[number]).filter((behavior) => behavior !== undefined));
});

export function hasBehavior(field: DescField, behavior: FieldBehavior): boolean {
  return behaviorsOf(field).has(behavior);
}

/** Whether callers must send the field: REQUIRED, and not OUTPUT_ONLY, which callers cannot send. */
export function isSentAlways(field: DescField): boolean {
  return hasBehavior(field, "required") && !hasBehavior(field, "output-only");
}

const leadsToBehavior = new Map(
  Object.values(behaviors).map((behavior) => [
    behavior,
    containsType(({ fields }) => fields.some((field) => hasBehavior(field, behavior))),
  ]),
);

export function hasBehaviorInside(message: DescMessage, behavior: FieldBehavior): boolean {
  return leadsToBehavior.get(behavior)?.(message) === true;
}

/** Whether a field with the behavior counts. `path` has the names of the fields that lead to it, with dots between them. */
export type Counts = (field: DescField, path: string) => boolean;

interface Found {
  readonly message: ReflectMessage;
  readonly field: DescField;
  readonly path: string;
}

/** The messages in a field that is set, each with its index or key in brackets. */
export function* messagesIn(
  message: ReflectMessage,
  field: DescField,
): Iterable<readonly [index: string, inner: ReflectMessage]> {
  if (field.fieldKind === "message") yield ["", message.get(field)];
  else if (field.fieldKind === "list" && field.listKind === "message") {
    for (const [at, item] of [...message.get(field)].entries()) yield [`[${at}]`, item as ReflectMessage];
  } else if (field.fieldKind === "map" && field.mapKind === "message") {
    for (const [key, value] of message.get(field)) yield [`[${JSON.stringify(key)}]`, value as ReflectMessage];
  }
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
      for (const [, inner] of messagesIn(message, field)) yield* setFields(inner, behavior, counts, `${path}.`);
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
  for (const found of setFields(reflect(desc, copy, false), behavior, counts)) found.message.clear(found.field);
  return copy;
}

/** The number of `google.api.resource` on messages. */
const resourceOption = 1053;

const maskNames: ReadonlySet<string> = new Set(["update_mask", "field_mask", "mask"]);

/** Whether the method of a request changes something. */
function changes({ name }: DescMessage): boolean {
  return nounAfter("update", name.replace(/^Batch/, "")) !== undefined;
}

/** The mask of a request that changes a resource in part; undefined for other requests. */
export function updateMaskOf(request: DescMessage): DescField | undefined {
  const isMask = ({ name, message }: DescField): boolean =>
    message?.typeName === FieldMaskSchema.typeName &&
    (name === "update_mask" || (maskNames.has(name) && changes(request)));
  return request.fields.find(isMask);
}

/** The fields beside a mask whose messages it is about: those of the type that the request is named after, or all of them. */
export const changedFields = memoize((request: DescMessage): ReadonlySet<DescField> => {
  if (updateMaskOf(request) === undefined) return new Set();
  const messages = request.fields.filter(
    ({ fieldKind, message }) =>
      fieldKind !== "map" && message !== undefined && !message.typeName.startsWith("google.protobuf."),
  );
  const named = messages.filter(({ message }) => request.name.includes(message?.name ?? ""));
  return new Set(named.length > 0 ? named : messages);
});

/** Whether a request is itself what its mask is about. */
export function isPatchItself(request: DescMessage): boolean {
  return updateMaskOf(request) !== undefined && changedFields(request).size === 0;
}

/** The messages that a file's requests change in part. */
const changedInPart = memoize((file: DescMessage["file"]): ReadonlySet<DescMessage> => {
  const messages = file.messages.flatMap((request) => [...changedFields(request)].map(({ message }) => message));
  return new Set(messages.filter((message) => message !== undefined));
});

/** Whether requests may have only some fields of a message: it is a resource, or stands beside a mask in its own file. */
export const mayBePartial = memoize((message: DescMessage): boolean => {
  const isResource = message.proto.options?.$unknown?.some(({ no }) => no === resourceOption) === true;
  return isResource || changedInPart(message.file).has(message);
});
