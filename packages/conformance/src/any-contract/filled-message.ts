// Messages with a value in every field, so that a lost field shows.
import {
  create,
  type DescExtension,
  type DescField,
  type DescMessage,
  type DescOneof,
  type Message,
  ScalarType,
  setExtension,
} from "@bufbuild/protobuf";
import { isReflectMessage, reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence as Presence, anyPack } from "@bufbuild/protobuf/wkt";
import type { extensionsIn, Operation, PathVariable } from "@roundtrip/contract";
import { impossibleMessage, isSentAlways } from "@roundtrip/contract/field-rules";
import { NotApplicable } from "../case/case-run.ts";

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

/** The filling of required fields. */
const atLeast: Filling = { depth: 1, choice: "first", extensions: new Map() };

const known = new Map<string, Record<string, unknown>>(
  Object.entries({
    "google.protobuf.Timestamp": { seconds: 1_700_000_000n, nanos: 120_000_000 },
    "google.protobuf.Duration": { seconds: 3n, nanos: 500_000_000 },
    "google.protobuf.Struct": { fields: { "some key": { kind: { case: "numberValue", value: 1.5 } } } },
    "google.protobuf.Value": { kind: { case: "stringValue", value: "text" } },
    "google.protobuf.FieldMask": { paths: ["some_path"] },
    "google.protobuf.Any": {},
    "google.protobuf.ListValue": { values: [{ kind: { case: "boolValue", value: true } }] },
  }),
);

/** The most values of an enum in a list of them. */
const maxEnumValues = 1_000;

/** Paths of a mask must name fields next to it, because a style may represent them as an enum. */
function maskPaths({ parent }: DescField | DescExtension): string[] {
  const beside = parent?.fields.find(
    (field) => field.fieldKind === "message" && !field.message.typeName.startsWith("google.protobuf."),
  );
  const first = beside?.message?.fields[0];
  return first === undefined ? [] : [first.name];
}

export type Extensions = ReturnType<typeof extensionsIn>;

export interface Filling {
  readonly extensions: Extensions;

  /** Messages inside messages. */
  readonly depth: number;
  /** Which members of oneofs are set: the first, or the last. */
  readonly choice: "first" | "last";
}

/** The most fields of one message and of those in it. Sixty types that contain each other would fill a hundred thousand messages of three levels. */
export const maxFilledFields = 20_000;

/** A filling on its way, with the number of fields that may still be set. */
interface Progress extends Filling {
  readonly left: { fields: number };
}

function begin(filling: Filling): Progress {
  return { ...filling, left: { fields: maxFilledFields } };
}

/** Below the depth, required messages have their required messages, up to this level. */
const deepestRequired = -8;

/** By the contract's syntax, or as its behaviours say. */
export function isRequiredField(field: DescField): boolean {
  return field.presence === Presence.LEGACY_REQUIRED || isSentAlways(field);
}

function isNeeded(field: DescField | DescExtension): boolean {
  return field.kind === "field" && isRequiredField(field);
}

function isLeftOut(field: DescField | DescExtension, { depth }: Filling): boolean {
  if (field.message !== undefined && impossibleMessage(field.message) !== undefined) return true;
  return depth <= (isNeeded(field) ? deepestRequired : 0);
}

function messageFor(field: DescField | DescExtension, desc: DescMessage, filling: Progress): Message | undefined {
  if (desc.typeName === "google.protobuf.FieldMask") {
    const paths = maskPaths(field);
    return paths.length === 0 ? undefined : create(desc, { paths });
  }
  if (desc.typeName === "google.protobuf.Any") {
    const { parent } = field;
    return parent === undefined ? undefined : create(desc, { ...anyPack(parent, requiredOnly(parent)) });
  }
  const given = known.get(desc.typeName);
  if (given !== undefined) return create(desc, given);
  if (isLeftOut(field, filling)) {
    // It could not be encoded without.
    if (field.kind === "field" && field.presence === Presence.LEGACY_REQUIRED)
      throw new NotApplicable(`${desc.typeName} is required too many levels deep`);
    return undefined;
  }
  if (filling.left.fields > 0) return filled(desc, { ...filling, depth: filling.depth - 1 });
  if (isNeeded(field)) throw new NotApplicable(`it requires more than ${maxFilledFields} fields in one message`);
  return undefined;
}

function value(field: DescField | DescExtension, filling: Progress): unknown {
  if (field.enum !== undefined) return field.enum.values.at(-1)?.number;
  if (field.message === undefined) return scalar(field.scalar, field.name);
  const message = messageFor(field, field.message, filling);
  return message === undefined ? undefined : reflect(field.message, message);
}

function set(reflected: ReflectMessage, field: DescField, filling: Progress): void {
  filling.left.fields -= 1;
  if (field.fieldKind === "list" && field.enum !== undefined) {
    // Two values can share a name in a style.
    for (const { number } of field.enum.values.slice(0, maxEnumValues)) reflected.get(field).add(number);
    return;
  }
  const one = value(field, filling);
  if (one === undefined) return;
  if (field.fieldKind === "list") reflected.get(field).add(one);
  else if (field.fieldKind === "map") reflected.get(field).set(scalar(field.mapKey, field.name), one);
  else reflected.set(field, one);
}

function extend(message: Message, extension: DescExtension, filling: Progress): void {
  filling.left.fields -= 1;
  const one = value(extension, filling);
  const plain = isReflectMessage(one) ? one.message : one;
  if (plain !== undefined) setExtension(message, extension, extension.fieldKind === "list" ? [plain] : plain);
}

/** A message with every field set, and one member of each oneof. Messages below the depth are left out unless required. */
export function filledMessage(desc: DescMessage, filling: Filling): Message {
  const reason = impossibleMessage(desc);
  if (reason !== undefined) throw new NotApplicable(reason);
  return filled(desc, begin(filling));
}

function isSettable(field: DescField, filling: Filling): boolean {
  const { message } = field;
  if (message === undefined || message.typeName === "google.protobuf.Any" || known.has(message.typeName)) return true;
  return message.typeName === "google.protobuf.FieldMask" ? maskPaths(field).length > 0 : !isLeftOut(field, filling);
}

/** The member of a oneof that is set; undefined where all are messages below the depth. */
function chosenIn({ fields }: DescOneof, filling: Filling): DescField | undefined {
  const settable = fields.filter((field) => isSettable(field, filling));
  return settable.at(filling.choice === "first" ? 0 : -1);
}

function filled(desc: DescMessage, filling: Progress): Message {
  const given = known.get(desc.typeName);
  if (given !== undefined) return create(desc, given);
  const { extensions } = filling;
  const reflected = reflect(desc);
  for (const member of desc.members) {
    if (member.kind === "oneof") {
      const field = chosenIn(member, filling);
      if (field !== undefined) set(reflected, field, filling);
    } else {
      set(reflected, member, filling);
    }
  }
  for (const extension of extensions.get(desc.typeName) ?? []) extend(reflected.message, extension, filling);
  return reflected.message;
}

function withOnly(desc: DescMessage, isWanted: (field: DescField) => boolean): Message {
  const reflected = reflect(desc);
  const filling = begin(atLeast);
  for (const field of desc.fields) if (isWanted(field)) set(reflected, field, filling);
  return reflected.message;
}

/** A message with only the fields set that its format requires. */
export function requiredOnly(desc: DescMessage): Message {
  return withOnly(desc, ({ presence }) => presence === Presence.LEGACY_REQUIRED);
}

/** A request with only the fields set that its format or its contract requires. */
export function requiredRequest(desc: DescMessage): Message {
  return withOnly(desc, isRequiredField);
}

function named(reflected: ReflectMessage, name: string | undefined): DescField | undefined {
  return reflected.fields.find((field) => field.name === name);
}

/** Sets a field that is a path variable to a value that fits the path. */
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
  else if (!reflected.isSet(field)) reflected.set(field, value(field, begin(atLeast)));
}

/** Makes a message a valid request of an operation: its path variables fit the path, and it has no read mask. */
export function asRequest(operation: Operation, message: Message): Message {
  if (operation.readMask !== undefined) reflect(operation.input, message).clear(operation.readMask);
  for (const variable of operation.bindings[0].path.variables) fillVariable(message, operation, variable);
  return message;
}
