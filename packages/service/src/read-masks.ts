// Read masks (AIP-157) of invoices and products. Paths lead through messages and lists: `lines.quantity` is the quantity of each line.
import { create, type DescField, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import { CallError } from "@roundtrip/contract";

/** Fields, each with those of the messages in it. A field without any is meant as a whole. */
interface Branches extends Map<DescField, Branches> {}

/** The error for paths of a mask that name no field. */
export function unknownPaths(schema: DescMessage, paths: readonly string[], maskName: string): CallError {
  const violations = paths.map((path) => {
    return { field: maskName, description: `${schema.name} has no field "${path}"`, reason: "field_mask" };
  });
  return new CallError("INVALID_ARGUMENT", `${maskName}: ${violations[0]?.description ?? ""}`, { violations });
}

/** Adds a path. Returns false if it names no field. */
function grow(tree: Branches, { fields }: DescMessage, [name, ...rest]: readonly string[]): boolean {
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) return false;
  const before = tree.get(field);
  if (rest.length === 0) {
    tree.set(field, new Map());
    return true;
  }
  // Times and the like are single values.
  if (field.message === undefined || field.message.typeName.startsWith("google.protobuf.")) return false;
  // The whole field may be in the mask already.
  const isWhole = before?.size === 0;
  const below: Branches = isWhole ? new Map() : (before ?? new Map());
  if (!grow(below, field.message, rest)) return false;
  if (!isWhole) tree.set(field, below);
  return true;
}

type Properties = Record<string, unknown>;

/** A new message with only these fields, whose contents are shared. No message of these services has a oneof. */
function picked(schema: DescMessage, tree: Branches, from: Properties): Properties {
  const to = create(schema) as unknown as Properties;
  for (const [{ localName, message }, below] of tree) {
    const value = from[localName];
    if (message === undefined || below.size === 0 || value === undefined) to[localName] = value;
    else if (Array.isArray(value)) to[localName] = value.map((item: Properties) => picked(message, below, item));
    else to[localName] = picked(message, below, value as Properties);
  }
  return to;
}

/** Reduces an answer to the fields that its request asks for. */
type Reading<S extends DescMessage> = (answer: MessageShape<S>) => MessageShape<S>;

/** Reads a mask, before anything is looked up: throws INVALID_ARGUMENT for unknown paths. Without a mask, the answer stays as it is. */
export function readingOf<S extends DescMessage>(schema: S, mask: FieldMask | undefined): Reading<S> {
  if (mask === undefined || mask.paths.length === 0 || (mask.paths.length === 1 && mask.paths[0] === "*")) {
    return (answer) => answer;
  }
  const tree: Branches = new Map();
  const unknown = mask.paths.filter((path) => !grow(tree, schema, path.split(".")));
  if (unknown.length > 0) throw unknownPaths(schema, unknown, "read_mask");
  return (answer) => picked(schema, tree, answer) as unknown as MessageShape<S>;
}
