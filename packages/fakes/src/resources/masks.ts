// Field masks: which fields to read (AIP-157) or write (AIP-134). Paths lead through messages; they do not lead into lists and maps.
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { CallError, type Operation } from "@roundtrip/contract";
import { copyField } from "../answers/echoed.ts";
import { maskProperty } from "./properties.ts";

/** Paths as a tree: a field with nothing below it is meant whole. */
export type MaskTree = ReadonlyMap<DescField, MaskTree>;

interface Branches extends Map<DescField, Branches> {}

function isStructure(field: DescField): field is DescField & { fieldKind: "message" } {
  return field.fieldKind === "message" && !field.message.typeName.startsWith("google.protobuf.");
}

/** Adds one path. False when it leads nowhere. */
function grow(tree: Branches, { fields }: DescMessage, [name, ...rest]: readonly string[]): boolean {
  const field = fields.find((one) => one.name === name);
  if (field === undefined || (rest.length > 0 && !isStructure(field))) return false;
  const before = tree.get(field);
  if (rest.length === 0) {
    tree.set(field, new Map());
    return true;
  }
  // The whole is wanted already, and has no branches.
  if (before !== undefined && before.size === 0) return grow(new Map(), field.message as DescMessage, rest);
  const below: Branches = before ?? new Map();
  if (!grow(below, field.message as DescMessage, rest)) return false;
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

/** What a mask names; undefined for all, which is what none, an empty one and `*` mean. Throws INVALID_ARGUMENT for paths that lead nowhere. */
export function maskTree(desc: DescMessage, mask: FieldMask | undefined, maskName: string): MaskTree | undefined {
  if (meansAll(mask)) return undefined;
  const tree: Branches = new Map();
  const unknown = mask.paths.filter((path) => !grow(tree, desc, path.split(".")));
  if (unknown.length > 0) throw unknownPaths(desc, unknown, maskName);
  return tree;
}

/** Copies what a mask names, set or not. */
export function copyMasked(desc: DescMessage, tree: MaskTree, from: Message, to: Message): void {
  const reading = reflect(desc, from, false);
  const writing = reflect(desc, to, false);
  for (const [field, below] of tree) {
    if (below.size === 0 || !isStructure(field)) {
      copyField(reading, field, writing, field);
      continue;
    }
    const properties = to as unknown as Record<string, Message | undefined>;
    const source = (from as unknown as Record<string, Message | undefined>)[field.localName];
    const target = properties[field.localName];
    const inner = target ?? create(field.message);
    copyMasked(field.message, below, source ?? create(field.message), inner);
    if (target === undefined && source !== undefined) properties[field.localName] = inner;
  }
}

/** The fields of a message that a mask names, and no other. */
function masked(desc: DescMessage, tree: MaskTree | undefined, message: Message): Message {
  if (tree === undefined) return message;
  const copy = create(desc);
  copyMasked(desc, tree, message, copy);
  return copy;
}

/** Leaves of an answer what a request asks for. */
export type Reading = (answer: Message) => Message;

const whole: Reading = (answer) => answer;

/** An answer with what is in one of its fields, once or as a list, cut down to what a mask names. */
function maskedInside(output: DescMessage, field: DescField, tree: MaskTree, answer: Message): Message {
  const copy = create(output);
  copyMasked(output, new Map(output.fields.map((one) => [one, new Map()])), answer, copy);
  const desc = field.message as DescMessage;
  const properties = copy as unknown as Record<string, Message | readonly Message[] | undefined>;
  const inside = properties[field.localName];
  if (Array.isArray(inside)) properties[field.localName] = inside.map((one: Message) => masked(desc, tree, one));
  else if (inside !== undefined) properties[field.localName] = masked(desc, tree, inside as Message);
  return copy;
}

/**
 * The read masks of an operation's requests (AIP-157). Paths lead from the answer or, where that is around what was asked for, from there:
 * both are in use. What it gives judges a request, before anything is looked for: it throws INVALID_ARGUMENT for paths that lead nowhere.
 * @param inside the field of the answer that holds what was asked for.
 */
export function readMasks({ input, output }: Operation, inside: DescField | undefined): (request: Message) => Reading {
  const mask = maskProperty(input, ["read_mask", "field_mask"]);
  if (mask === undefined) return () => whole;
  return (request) => {
    const given = mask.read(request);
    if (meansAll(given)) return whole;
    const outer: Branches = new Map();
    const inner: Branches = new Map();
    const desc = inside?.message ?? output;
    const unknown = given.paths.filter((path) => {
      const names = path.split(".");
      return !grow(outer, output, names) && (inside === undefined || !grow(inner, desc, names));
    });
    if (unknown.length > 0) throw unknownPaths(desc, unknown, mask.name);
    return (answer) => {
      const kept = outer.size === 0 ? answer : masked(output, outer, answer);
      return inside === undefined || inner.size === 0 ? kept : maskedInside(output, inside, inner, kept);
    };
  };
}
