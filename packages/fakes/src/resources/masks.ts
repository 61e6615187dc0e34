// Field masks: which fields to read (AIP-157) or write (AIP-134). Paths lead through messages; those of reads lead into lists, too, but not into maps.
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { CallError, type Operation } from "@roundtrip/contract";
import { copyField } from "../answers/echoed.ts";
import { maskProperty, soleMessageField } from "./names.ts";

/** Paths as a tree: a field without children is meant as a whole. */
export type MaskedFields = ReadonlyMap<DescField, MaskedFields>;

interface Branches extends Map<DescField, Branches> {}

type Leads = (field: DescField) => boolean;

function isStructure(field: DescField): field is DescField & { fieldKind: "message" } {
  return field.fieldKind === "message" && !field.message.typeName.startsWith("google.protobuf.");
}

function isStructureOrList({ fieldKind, message }: DescField): boolean {
  return fieldKind !== "map" && message !== undefined && !message.typeName.startsWith("google.protobuf.");
}

/** Adds one path. Returns false if a field is unknown. @param leads whether a path may go on behind a field */
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

function meansAll(mask: FieldMask | undefined): mask is undefined {
  return mask === undefined || mask.paths.length === 0 || (mask.paths.length === 1 && mask.paths[0] === "*");
}

function unknownPaths(desc: DescMessage, paths: readonly string[], maskName: string): CallError {
  const violations = paths.map((path) => {
    return { field: maskName, description: `${desc.name} has no field "${path}"`, reason: "field_mask" };
  });
  return new CallError("INVALID_ARGUMENT", `${maskName}: ${violations[0]?.description ?? ""}`, { violations });
}

/** The tree of a mask; undefined for all fields: no mask, an empty one, or `*`. Throws INVALID_ARGUMENT for unknown fields. */
export function maskTree(desc: DescMessage, mask: FieldMask | undefined, maskName: string): MaskedFields | undefined {
  if (meansAll(mask)) return undefined;
  const tree: Branches = new Map();
  const unknown = mask.paths.filter((path) => !grow(tree, desc, path.split("."), isStructure));
  if (unknown.length > 0) throw unknownPaths(desc, unknown, maskName);
  return tree;
}

/** Copies the fields of a mask, set or not. Their contents are shared. */
export function copyMasked(desc: DescMessage, tree: MaskedFields, from: Message, to: Message): void {
  const reading = reflect(desc, from, false);
  const writing = reflect(desc, to, false);
  for (const [field, below] of tree) {
    if (below.size > 0 && field.fieldKind === "list") pickItems(field, below, from, to);
    else if (below.size === 0 || !isStructure(field)) copyField(reading, field, writing, field);
    else if (reading.isSet(field) || writing.isSet(field)) {
      if (!writing.isSet(field)) writing.set(field, reflect(field.message, undefined, false));
      const source = reading.isSet(field) ? reading.get(field).message : create(field.message);
      copyMasked(field.message, below, source, writing.get(field).message);
    }
  }
}

/** Copies a list of messages, each reduced to a mask. */
function pickItems({ localName, message }: DescField, tree: MaskedFields, from: Message, to: Message): void {
  const [source, target] = [from, to] as unknown as readonly Record<string, readonly Message[]>[];
  if (source === undefined || target === undefined) return;
  target[localName] = (source[localName] ?? []).map((item) => picked(message as DescMessage, tree, item));
}

/** A new message with only the fields of a mask. */
function picked(desc: DescMessage, tree: MaskedFields, message: Message): Message {
  const copy = create(desc);
  copyMasked(desc, tree, message, copy);
  return copy;
}

/** The message inside an answer that the mask applies to. */
export function insideOf({ output }: Operation): DescField | undefined {
  if (!/(?:Response|Reply|Result)$/.test(output.name)) return undefined;
  return soleMessageField(output, "message") ?? soleMessageField(output, "list");
}

/** Reduces an answer to the fields that a request asks for. */
export type Reading = (answer: Message) => Message;

const whole: Reading = (answer) => answer;

/** Reduces the messages in one field of an answer, single or repeated, to a mask. */
function pickedInside(output: DescMessage, field: DescField, tree: MaskedFields, answer: Message): Message {
  const copy = Object.assign(create(output), answer);
  const properties = copy as unknown as Record<string, Message | readonly Message[] | undefined>;
  const cut = (message: Message): Message => picked(field.message as DescMessage, tree, message);
  const inside = properties[field.localName];
  if (Array.isArray(inside)) properties[field.localName] = inside.map(cut);
  else if (inside !== undefined) properties[field.localName] = cut(inside as Message);
  return copy;
}

/**
 * The read masks of an operation's requests (AIP-157). Paths start at the answer or, if it wraps the requested message, at that message: both are
 * in use. The result validates a request before any lookup: it throws INVALID_ARGUMENT for unknown fields.
 * @param inside the field of the answer that contains the requested message
 */
export function readMasks({ input, output }: Operation, inside: DescField | undefined): (request: Message) => Reading {
  const mask = maskProperty(input, ["read_mask", "field_mask"]);
  if (mask === undefined) return () => whole;
  return (request) => {
    const asked = mask.read(request);
    if (meansAll(asked)) return whole;
    const outer: Branches = new Map();
    const inner: Branches = new Map();
    const desc = inside?.message ?? output;
    const unknown = asked.paths.filter((path) => {
      const names = path.split(".");
      if (grow(outer, output, names, isStructureOrList)) return false;
      return inside === undefined || !grow(inner, desc, names, isStructureOrList);
    });
    if (unknown.length > 0) throw unknownPaths(desc, unknown, mask.name);
    return (answer) => {
      const outside = outer.size === 0 ? answer : picked(output, outer, answer);
      return inside === undefined || inner.size === 0 ? outside : pickedInside(output, inside, inner, outside);
    };
  };
}
