// Field masks: which fields to read (AIP-157) or write (AIP-134). Paths lead through messages; those of reads lead into lists, too, but not into maps.
import { create, type DescField, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence as Presence, type FieldMask } from "@bufbuild/protobuf/wkt";
import { CallError } from "../basics/call-error.ts";
import { maxNesting, memoize } from "../descriptors/components.ts";

/** Paths as a tree: a field without children is meant as a whole. */
export type MaskedFields = ReadonlyMap<DescField, MaskedFields>;

/** A tree to which paths are added. */
interface Branches extends Map<DescField, Branches> {}

/** Whether a path may go on behind a field. */
type Leads = (field: DescField) => boolean;

const leadsWrites: Leads = ({ fieldKind, message }) =>
  fieldKind === "message" && !message.typeName.startsWith("google.protobuf.");

const leadsReads: Leads = ({ fieldKind, message }) =>
  fieldKind !== "map" && message !== undefined && !message.typeName.startsWith("google.protobuf.");

/** Longer masks are invalid: each path is looked up, and adds to the tree. */
export const maxMaskPaths = 1_000;

const fieldsByName = memoize(({ fields }: DescMessage) => new Map(fields.map((field) => [field.name, field])));

/** The fields along a path as far as it names any, and whether it names all of them. */
interface Along {
  readonly fields: readonly DescField[];
  readonly isWhole: boolean;
}

/** @param most fields; longer paths are cut */
function fieldsAlong(desc: DescMessage, path: string, leads: Leads, most: number): Along {
  const fields: DescField[] = [];
  let inside: DescMessage | undefined = desc;
  for (const name of path.split(".", most)) {
    const field: DescField | undefined = inside === undefined ? undefined : fieldsByName(inside).get(name);
    if (field === undefined) return { fields, isWhole: false };
    fields.push(field);
    inside = leads(field) ? field.message : undefined;
  }
  return { fields, isWhole: true };
}

/** What is below a field that a mask has as a whole. */
const whole: Branches = new Map();
export const wholeField: MaskedFields = whole;

function grow(tree: Branches, along: readonly DescField[]): void {
  let branches = tree;
  for (const [at, field] of along.entries()) {
    if (at === along.length - 1) branches.set(field, whole);
    let below = branches.get(field);
    // The whole field is in the mask already.
    if (below === whole) return;
    if (below === undefined) branches.set(field, (below = new Map()));
    branches = below;
  }
}

/** Whether all fields are meant: no mask, an empty one, or `*`. */
function meansAll(mask: FieldMask | undefined): mask is undefined {
  return mask === undefined || mask.paths.length === 0 || (mask.paths.length === 1 && mask.paths[0] === "*");
}

function invalidMask(maskName: string, descriptions: readonly string[]): CallError {
  const violations = descriptions.map((description) => ({ field: maskName, description, reason: "field_mask" }));
  return new CallError("INVALID_ARGUMENT", `${maskName}: ${descriptions[0] ?? ""}`, { violations });
}

/** The end of a message about an unknown path, such as `suggestion` of `@roundtrip/contract/text`: processes that are measured load none. */
export type PathHint = (typed: string, known: readonly string[]) => string;

const noHint: PathHint = () => "";

/** Each hint compares with all fields of a message. */
const mostHints = 10;
/** Nobody types a longer path. */
const longestHinted = 200;

/** The paths that differ from an unknown one in the first name that is unknown. */
function pathsNear(desc: DescMessage, path: string, leads: Leads): readonly string[] {
  const { fields } = fieldsAlong(desc, path, leads, maxNesting);
  const names = path.split(".");
  const last = fields.at(-1);
  const inside = last === undefined ? desc : leads(last) ? last.message : undefined;
  const above = names.slice(0, fields.length);
  return (inside?.fields ?? []).map(({ name }) => {
    const changed = [...above, name];
    const renamed = [...changed, ...names.slice(changed.length)].join(".");
    return fieldsAlong(desc, renamed, leads, maxNesting).isWhole ? renamed : changed.join(".");
  });
}

/** Each path is added to the tree of the first type that has it. Throws INVALID_ARGUMENT for unknown fields, and for more than {@link maxMaskPaths}. */
function maskTrees(
  descs: readonly DescMessage[],
  { paths }: FieldMask,
  maskName: string,
  leads: Leads,
  hint: PathHint,
): readonly MaskedFields[] {
  if (paths.length > maxMaskPaths) throw invalidMask(maskName, [`has more than ${maxMaskPaths} paths`]);
  const trees = descs.map((desc) => ({ desc, own: fieldsByName(desc), tree: new Map() as Branches }));
  const unknown = paths.filter((path) => {
    for (const { desc, own, tree } of trees) {
      // Most paths are the name of one field.
      const field = own.get(path);
      if (field !== undefined) {
        tree.set(field, whole);
        return false;
      }
      const { fields, isWhole } = fieldsAlong(desc, path, leads, maxNesting + 1);
      if (!isWhole) continue;
      if (fields.length > maxNesting) throw invalidMask(maskName, [`has a path of more than ${maxNesting} fields`]);
      grow(tree, fields);
      return false;
    }
    return true;
  });
  const name = descs.at(-1)?.name ?? "";
  const missing = unknown.map((path, at) => {
    const isHinted = hint !== noHint && at < mostHints && path.length <= longestHinted;
    const near = isHinted ? hint(path, [...new Set(descs.flatMap((desc) => pathsNear(desc, path, leads)))]) : "";
    return `${name} has no field "${path}"${near}`;
  });
  if (missing.length > 0) throw invalidMask(maskName, missing);
  return trees.map(({ tree }) => tree);
}

/** The tree of a mask for writing; undefined for all fields. Throws INVALID_ARGUMENT for unknown fields. */
export function writeMask(
  desc: DescMessage,
  mask: FieldMask | undefined,
  maskName: string,
  hint: PathHint = noHint,
): MaskedFields | undefined {
  return meansAll(mask) ? undefined : maskTrees([desc], mask, maskName, leadsWrites, hint)[0];
}

/**
 * The trees of a mask for reading, one for each type: a path belongs to the first that has it. Undefined for all fields. Throws INVALID_ARGUMENT for
 * unknown fields.
 */
export function readTrees(
  descs: readonly DescMessage[],
  mask: FieldMask | undefined,
  maskName: string,
  hint: PathHint = noHint,
): readonly MaskedFields[] | undefined {
  return meansAll(mask) ? undefined : maskTrees(descs, mask, maskName, leadsReads, hint);
}

/** The fields that paths name, as far as these are known; undefined for all fields. */
export function namedFields(desc: DescMessage, paths: readonly string[]): MaskedFields | undefined {
  if (paths.includes("*") || paths.length > maxMaskPaths) return undefined;
  const tree: Branches = new Map();
  for (const path of paths) grow(tree, fieldsAlong(desc, path, leadsWrites, maxNesting).fields);
  return tree;
}

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

function copyProperty({ localName }: DescField, from: Message, to: Message): void {
  (to as unknown as Properties)[localName] = (from as unknown as Properties)[localName];
}

function copyWhole(field: DescField, from: ReflectMessage, to: ReflectMessage): void {
  if (from.isSet(field)) to.set(field, from.get(field));
  else to.clear(field);
}

/** Copies the fields of a mask, set or not. Their contents are shared. */
export function copyMasked(desc: DescMessage, tree: MaskedFields, from: Message, to: Message): void {
  let reflected: readonly [ReflectMessage, ReflectMessage] | undefined;
  for (const [field, below] of tree) {
    // Reflected lists and maps are bound to their field.
    if (below.size === 0 && isProperty(field)) {
      copyProperty(field, from, to);
      continue;
    }
    const [reading, writing] = (reflected ??= [reflect(desc, from, false), reflect(desc, to, false)]);
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
  const [tree] = readTrees([desc], mask, "read_mask") ?? [];
  return tree === undefined ? (answer) => answer : (answer) => picked(desc, tree, answer);
}
