// Masks fields that the contract marks `debug_redact`, at any depth.
import { clone, ScalarType, type DescField, type DescMessage, type Message, type Registry } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { anyPack, anyUnpack, AnySchema, type Any } from "@bufbuild/protobuf/wkt";
import type { ErrorDetails } from "@roundtrip/contract";

function fieldNamed(desc: DescMessage | undefined, name: string): DescField | undefined {
  return desc?.fields.find((field) => field.name === name || field.jsonName === name);
}

/** Whether a path such as `cards[2].number` leads to a hidden field, or through one. */
function isHidden(input: DescMessage, path: string): boolean {
  let desc: DescMessage | undefined = input;
  for (const step of path.split(".")) {
    const field = fieldNamed(desc, step.replace(/\[.*$/, ""));
    if (field === undefined) return false;
    if (isRedacted(field)) return true;
    desc = field.message;
  }
  return false;
}

/** The details that are present. Descriptions of violations of hidden fields are masked, and so is metadata that has the name of a hidden field. */
export function keptDetails(input: DescMessage, details: ErrorDetails): Partial<ErrorDetails> {
  const metadata = Object.entries(details.metadata).map(([name, value]): [string, string] => [
    name,
    isHidden(input, name) ? redactedText : value,
  ]);
  const violations = details.violations.map((violation) =>
    isHidden(input, violation.field) ? { ...violation, description: redactedText } : violation,
  );
  const masked = { ...details, metadata: Object.fromEntries(metadata), violations };
  const said = Object.entries(masked).filter(([, value]) => Object.keys(value as object | string).length > 0);
  return Object.fromEntries(said);
}

/** Replaces a text. Values of other types are cleared. */
export const redactedText = "[redacted]";

/** True for a field that the contract marks `debug_redact`. */
export function isRedacted({ proto }: DescField): boolean {
  return proto.options?.debugRedact === true;
}

const hiding = new WeakMap<DescMessage, boolean>();

/** Whether such a message may contain hidden fields. The content of an `Any` is known only at run time. */
function mayHide(schema: DescMessage): boolean {
  const known = hiding.get(schema);
  if (known !== undefined) return known;
  const seen = new Set([schema]);
  // The set grows during the loop: each type is visited once, even in recursive types.
  for (const { typeName, fields } of seen) {
    if (typeName === AnySchema.typeName || fields.some(isRedacted)) {
      hiding.set(schema, true);
      return true;
    }
    for (const { message } of fields) if (message !== undefined) seen.add(message);
  }
  hiding.set(schema, false);
  return false;
}

function mask(message: ReflectMessage, field: DescField): void {
  if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING) message.set(field, redactedText);
  else message.clear(field);
}

function redactAny(any: Any, registry: Registry): void {
  const schema = registry.getMessage(any.typeUrl.slice(any.typeUrl.lastIndexOf("/") + 1));
  const held = schema === undefined ? undefined : anyUnpack(any, schema);
  if (schema === undefined || held === undefined || !mayHide(schema)) return;
  redact(reflect(schema, held, false), registry);
  anyPack(schema, held, any);
}

function redact(message: ReflectMessage, registry: Registry): void {
  if (message.desc.typeName === AnySchema.typeName) redactAny(message.message as Any, registry);
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (isRedacted(field)) mask(message, field);
    else if (field.message !== undefined && mayHide(field.message)) redactWithin(message, field, registry);
  }
}

function redactWithin(message: ReflectMessage, field: DescField, registry: Registry): void {
  switch (field.fieldKind) {
    case "message":
      redact(message.get(field), registry);
      return;
    case "list":
      for (const item of message.get(field)) redact(item as ReflectMessage, registry);
      return;
    case "map":
      for (const value of message.get(field).values()) redact(value as ReflectMessage, registry);
      return;
    case "scalar":
    case "enum":
  }
}

/** The message with its hidden fields masked: texts are replaced, other values removed. The message itself does not change. */
export function redactedCopy(schema: DescMessage, message: Message, registry: Registry): Message {
  if (!mayHide(schema)) return message;
  const copy = clone(schema, message);
  redact(reflect(schema, copy, false), registry);
  return copy;
}
