// Field masks: which fields to read (AIP-157) or write (AIP-134). Paths lead through messages; those of reads lead into lists, too, but not into maps.
import { create, type DescField, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence as Presence, type FieldMask } from "@bufbuild/protobuf/wkt";
import { CallError } from "../basics/call-error.ts";

/** Paths as a tree: a field without children is meant as a whole. */
export type MaskedFields = ReadonlyMap<DescField, MaskedFields>;

/** A tree to which paths are added. */
export interface Branches extends Map<DescField, Branches> {}

/** Whether a path may go on behind a field. */
type Leads = (field: DescField) => boolean;

const leadsWrites: Leads = ({ fieldKind, message }) =>
  fieldKind === "message" && !message.typeName.startsWith("google.protobuf.");

const leadsReads: Leads = ({ fieldKind, message }) =>
  fieldKind !== "map" && message !== undefined && !message.typeName.startsWith("google.protobuf.");

function grow(tree: Branches, { fields }: DescMessage, [name, ...rest]: readonly string[], leads: Leads): boolean {
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined || (rest.length > 0 && !leads(field))) return false;
  const before = tree.get(field);
  if (rest.length === 0) {
    tree.set(field, new Map());
    return true;
  }
  // The whole field is in the mask already.
  if (before !== undefined && before.size === 0) return grow(new Map(), field.message as DescMessage, rest, leads);
  const below: Branches = before ?? new Map();
  if (!grow(below, field.message as DescMessage, rest, leads)) return false;
  tree.set(field, below);
  return true;
}

/** Adds a path of a read mask. Returns false if it names no field. */
export function addReadPath(tree: Branches, desc: DescMessage, path: string): boolean {
  return grow(tree, desc, path.split("."), leadsReads);
}

/** Whether all fields are meant: no mask, an empty one, or `*`. */
export function meansAll(mask: FieldMask | undefined): mask is undefined {
  return mask === undefined || mask.paths.length === 0 || (mask.paths.length === 1 && mask.paths[0] === "*");
}

/** The error for paths that name no field. */
export function unknownPaths(desc: DescMessage, paths: readonly string[], maskName: string): CallError {
  const violations = paths.map((path) => {
    return { field: maskName, description: `${desc.name} has no field "${path}"`, reason: "field_mask" };
  });
  return new CallError("INVALID_ARGUMENT", `${maskName}: ${violations[0]?.description ?? ""}`, { violations });
}

function maskTree(
  desc: DescMessage,
  mask: FieldMask | undefined,
  maskName: string,
  leads: Leads,
): MaskedFields | undefined {
  if (meansAll(mask)) return undefined;
  const tree: Branches = new Map();
  const unknown = mask.paths.filter((path) => !grow(tree, desc, path.split("."), leads));
  if (unknown.length > 0) throw unknownPaths(desc, unknown, maskName);
  return tree;
}

/** The tree of a mask for writing; undefined for all fields. Throws INVALID_ARGUMENT for unknown fields. */
export function writeMask(desc: DescMessage, mask: FieldMask | undefined, maskName: string): MaskedFields | undefined {
  return maskTree(desc, mask, maskName, leadsWrites);
}

const whole: MaskedFields = new Map();

/** All fields of a message, each as a whole. */
export function everyField(desc: DescMessage): MaskedFields {
  return new Map(desc.fields.map((field) => [field, whole]));
}

/** The fields that are set: what a write without a mask changes (AIP-134). */
export function populatedFields(desc: DescMessage, message: Message): MaskedFields {
  const values = reflect(desc, message, false);
  return new Map(desc.fields.filter((field) => values.isSet(field)).map((field) => [field, whole]));
}

type Properties = Record<string, unknown>;

/** Whether its value is a plain property of a message, set or not. */
function isProperty({ fieldKind, presence, oneof }: DescField): boolean {
  return fieldKind === "list" || fieldKind === "map" || (presence === Presence.IMPLICIT && oneof === undefined);
}

function copyWhole(field: DescField, from: ReflectMessage, to: ReflectMessage): void {
  // Reflected lists and maps are bound to their field.
  if (isProperty(field)) {
    (to.message as unknown as Properties)[field.localName] = (from.message as unknown as Properties)[field.localName];
  } else if (from.isSet(field)) to.set(field, from.get(field));
  else to.clear(field);
}

/** Copies the fields of a mask, set or not. Their contents are shared. */
export function copyMasked(desc: DescMessage, tree: MaskedFields, from: Message, to: Message): void {
  const reading = reflect(desc, from, false);
  const writing = reflect(desc, to, false);
  for (const [field, below] of tree) {
    if (below.size === 0) copyWhole(field, reading, writing);
    else if (field.fieldKind === "list") pickItems(field, below, from, to);
    else if (field.fieldKind === "message" && (reading.isSet(field) || writing.isSet(field))) {
      if (!writing.isSet(field)) writing.set(field, reflect(field.message, undefined, false));
      const source = reading.isSet(field) ? reading.get(field).message : create(field.message);
      copyMasked(field.message, below, source, writing.get(field).message);
    }
  }
}

function pickItems({ localName, message }: DescField, tree: MaskedFields, from: Message, to: Message): void {
  const items = (from as unknown as Record<string, readonly Message[]>)[localName] ?? [];
  (to as unknown as Properties)[localName] = items.map((item) => picked(message as DescMessage, tree, item));
}

/** A new message with only the fields of a mask. */
export function picked<S extends DescMessage>(desc: S, tree: MaskedFields, message: Message): MessageShape<S> {
  const copy = create(desc);
  copyMasked(desc, tree, message, copy);
  return copy;
}

/** Reads a mask, before anything is looked up: throws INVALID_ARGUMENT for unknown fields. Returns how an answer is reduced to it. */
export function readMask<S extends DescMessage>(
  desc: S,
  mask: FieldMask | undefined,
): (answer: MessageShape<S>) => MessageShape<S> {
  const tree = maskTree(desc, mask, "read_mask", leadsReads);
  return tree === undefined ? (answer) => answer : (answer) => picked(desc, tree, answer);
}
