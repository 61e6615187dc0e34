// Field masks: which fields to read (AIP-157) or write (AIP-134). Paths lead through messages; they do not lead into lists and maps.
import { create, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { CallError } from "@roundtrip/contract";
import { copyField } from "../answers/echoed.ts";

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

/** What a mask names; undefined for all, which is what none, an empty one and `*` mean. Throws INVALID_ARGUMENT for paths that lead nowhere. */
export function maskTree(desc: DescMessage, mask: FieldMask | undefined, maskName: string): MaskTree | undefined {
  if (mask === undefined || mask.paths.length === 0 || (mask.paths.length === 1 && mask.paths[0] === "*"))
    return undefined;
  const tree: Branches = new Map();
  const unknown = mask.paths.filter((path) => !grow(tree, desc, path.split(".")));
  if (unknown.length === 0) return tree;
  const violations = unknown.map((path) => {
    return { field: maskName, description: `${desc.name} has no field "${path}"`, reason: "field_mask" };
  });
  throw new CallError("INVALID_ARGUMENT", `${maskName}: ${violations[0]?.description ?? ""}`, { violations });
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
export function masked(desc: DescMessage, tree: MaskTree | undefined, message: Message): Message {
  if (tree === undefined) return message;
  const copy = create(desc);
  copyMasked(desc, tree, message, copy);
  return copy;
}
