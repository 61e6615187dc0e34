// Messages in which every field holds something, so that whatever a style loses is missed.
import { create, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence as Presence, anyPack } from "@bufbuild/protobuf/wkt";
import type { Operation, PathVariable } from "@roundtrip/contract";

function scalar(type: ScalarType | undefined, name: string): unknown {
  switch (type) {
    case ScalarType.STRING:
      return `some ${name}`;
    case ScalarType.BOOL:
      return true;
    case ScalarType.BYTES:
      return new Uint8Array([1, 2, 250]);
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return 1.5;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return -9_007_199_254_740_995n;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return 18_446_744_073_709_551_615n;
    default:
      return 7;
  }
}

const known: Readonly<Record<string, Record<string, unknown>>> = {
  "google.protobuf.Timestamp": { seconds: 1_700_000_000n, nanos: 120_000_000 },
  "google.protobuf.Duration": { seconds: 3n, nanos: 500_000_000 },
  "google.protobuf.Struct": { fields: {} },
  "google.protobuf.Value": { kind: { case: "stringValue", value: "text" } },
  "google.protobuf.ListValue": { values: [{ kind: { case: "boolValue", value: true } }] },
};

/** A mask names fields of what it goes with; a style may know them by an enum. */
function maskPaths({ parent }: DescField): string[] {
  const beside = parent.fields.find(
    (field) => field.fieldKind === "message" && !field.message.typeName.startsWith("google.protobuf."),
  );
  const first = beside?.message?.fields[0];
  return first === undefined ? [] : [first.name];
}

function messageFor(field: DescField, desc: DescMessage, depth: number): Message | undefined {
  const given = known[desc.typeName];
  if (given !== undefined) return create(desc, given);
  if (desc.typeName === "google.protobuf.FieldMask") {
    const paths = maskPaths(field);
    return paths.length === 0 ? undefined : create(desc, { paths });
  }
  if (desc.typeName === "google.protobuf.Any") return create(desc, { ...anyPack(field.parent, create(field.parent)) });
  return depth > 0 ? filledMessage(desc, depth - 1) : undefined;
}

function value(field: DescField, depth: number): unknown {
  if (field.enum !== undefined) return field.enum.values.at(-1)?.number;
  if (field.message === undefined) return scalar(field.scalar, field.name);
  const message = messageFor(field, field.message, depth);
  return message === undefined ? undefined : reflect(field.message, message);
}

function set(reflected: ReflectMessage, field: DescField, depth: number): void {
  if (field.fieldKind === "list" && field.enum !== undefined) {
    // Two values may have one name in a style.
    for (const { number } of field.enum.values) reflected.get(field).add(number);
    return;
  }
  const one = value(field, depth);
  if (one === undefined) return;
  if (field.fieldKind === "list") reflected.get(field).add(one);
  else if (field.fieldKind === "map") reflected.get(field).set(scalar(field.mapKey, field.name), one);
  else reflected.set(field, one);
}

/** Every field set, of a oneof the first member that can be. Messages that go deeper are left out, but for those that are required. */
export function filledMessage(desc: DescMessage, depth: number): Message {
  const given = known[desc.typeName];
  if (given !== undefined) return create(desc, given);
  const reflected = reflect(desc);
  for (const member of desc.members) {
    if (member.kind === "oneof") {
      const field = member.fields.find((candidate) => value(candidate, depth) !== undefined);
      if (field !== undefined) set(reflected, field, depth);
    } else set(reflected, member, member.presence === Presence.LEGACY_REQUIRED ? Math.max(depth, 1) : depth);
  }
  return reflected.message;
}

function named(reflected: ReflectMessage, name: string | undefined): DescField | undefined {
  return reflected.fields.find((field) => field.name === name);
}

/** Fills a field of text that is part of the path with what fits there. */
function fillVariable(message: Message, { input, bindings }: Operation, { fieldPath, start, end }: PathVariable): void {
  let reflected = reflect(input, message);
  for (const name of fieldPath.slice(0, -1)) {
    const field = named(reflected, name);
    if (field?.fieldKind !== "message") return;
    if (!reflected.isSet(field)) reflected.set(field, reflect(field.message));
    reflected = reflected.get(field);
  }
  const field = named(reflected, fieldPath.at(-1));
  if (field === undefined) return;
  const parts = bindings[0].path.segments.slice(start, end).map((segment) => {
    if (segment.kind === "literal") return segment.text;
    return segment.kind === "one" ? "some" : "some/more";
  });
  if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING) reflected.set(field, parts.join("/"));
  else if (!reflected.isSet(field)) reflected.set(field, value(field, 0));
}

/**
 * A request of an operation with every field set down to a depth; those of its path as the path wants them. Without a depth nothing else is
 * set. What a caller asks to be left out of the answer is never set.
 */
export function filledRequest(operation: Operation, depth: number | undefined): Message {
  const message = depth === undefined ? requiredOnly(operation.input) : filledMessage(operation.input, depth);
  if (operation.readMask !== undefined) reflect(operation.input, message).clear(operation.readMask);
  for (const variable of operation.bindings[0].path.variables) fillVariable(message, operation, variable);
  return message;
}

function requiredOnly(desc: DescMessage): Message {
  const reflected = reflect(desc);
  for (const field of desc.fields) if (field.presence === Presence.LEGACY_REQUIRED) set(reflected, field, 1);
  return reflected.message;
}
