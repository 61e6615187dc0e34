// What a client selects: the fields of a read mask, or all fields.
import type { DescMessage } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import type { Choice } from "./choice.ts";
import { maxDepth, maxRecursion } from "./document-limits.ts";
import { fieldName } from "./field-name.ts";
import type { Model } from "./model.ts";
import type { Shape } from "./shape.ts";

/** Types that hold each other in many ways are selected less deep, so that a document stays below this many fields. */
const maxFields = 2_000;

/** Where a selection is cut off, the answer tells whether anything was. */
const thereIsMore = "{ __typename }";

/** Leaves room for the root field and for masks that begin further down. */
const deepest = maxDepth - 10;

class TooManyFields extends Error {}

/** A member of a oneof as it is asked for: in the type that holds it alone. */
function inUnion(model: Model, member: Shape, field: string): string {
  return `... on ${model.memberTypeOf(member)} { ${field} }`;
}

function selectAll(model: Model, message: DescMessage, recursion: number): string {
  let fields = 0;
  const inside = new Map<DescMessage, number>();
  let depth = 0;
  const select = (current: DescMessage): string => {
    const times = inside.get(current) ?? 0;
    if (times > recursion || depth >= deepest) return thereIsMore;
    inside.set(current, times + 1);
    depth += 1;
    const words = model.parts(current).map((part) => ("members" in part ? ofChoice(part) : ofShape(part)));
    inside.set(current, times);
    depth -= 1;
    return `{ ${words.join(" ")} }`;
  };
  const count = (): void => {
    if ((fields += 1) > maxFields) throw new TooManyFields();
  };
  const ofChoice = (choice: Choice): string => {
    count();
    depth += 1;
    const words = choice.members.map((member) => inUnion(model, member, ofShape(member)));
    depth -= 1;
    return `${choice.name} { ${words.join(" ")} }`;
  };
  const ofShape = ({ name, arrangement, value }: Shape): string => {
    count();
    if (value.kind !== "message") return arrangement === "map" ? `${name} { key value }` : name;
    if (arrangement !== "map") return `${name} ${select(value.message)}`;
    depth += 1;
    const inner = select(value.message);
    depth -= 1;
    return `${name} { key value ${inner} }`;
  };
  return select(message);
}

/** All fields of a message, in braces. */
function allFields(model: Model, message: DescMessage): string {
  for (let recursion = maxRecursion; recursion > 0; recursion--) {
    try {
      return selectAll(model, message, recursion);
    } catch (thrown) {
      if (!(thrown instanceof TooManyFields)) throw thrown;
    }
  }
  return selectAll(model, message, 0);
}

function noField(message: DescMessage, path: string, maskName: string): CallError {
  const description = `${message.name} has no field "${path}"`;
  return new CallError("INVALID_ARGUMENT", `${maskName}: ${description}`, {
    violations: [{ field: maskName, description, reason: "field_mask" }],
  });
}

type Tree = Map<string, Tree | "all">;

function treeOf(paths: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const path of paths) {
    const names = path.split(".");
    let at: Tree | "all" | undefined = root;
    for (const [index, name] of names.entries()) {
      const next: Tree | "all" | undefined = at.get(name);
      if (next === "all") break;
      const deeper: Tree | "all" = index === names.length - 1 ? "all" : (next ?? new Map<string, Tree | "all">());
      at.set(name, deeper);
      if (deeper === "all") break;
      at = deeper;
    }
  }
  return root;
}

function selectTree(model: Model, message: DescMessage, tree: Tree, fail: (path: string) => CallError): string {
  const select = ([name, inside]: readonly [string, Tree | "all"], shape: Shape): string => {
    const { value, arrangement } = shape;
    if (inside !== "all" && (value.kind !== "message" || arrangement !== "one")) throw fail(name);
    if (arrangement === "map") {
      return `${shape.name} { key value ${value.kind === "message" ? allFields(model, value.message) : ""} }`;
    }
    if (value.kind !== "message") return shape.name;
    if (inside === "all") return `${shape.name} ${allFields(model, value.message)}`;
    return `${shape.name} ${selectTree(model, value.message, inside, (path) => fail(`${name}.${path}`))}`;
  };
  const words = [...tree].map((entry) => {
    const shape = model.shapes(message).find(({ field }) => field.name === entry[0]);
    if (shape === undefined) throw fail(entry[0]);
    const field = select(entry, shape);
    const { oneof } = shape.field;
    return oneof === undefined ? field : `${fieldName(oneof)} { ${inUnion(model, shape, field)} }`;
  });
  return `{ ${words.join(" ")} }`;
}

/**
 * The fields that a read mask names, in braces; all fields for an empty mask or `*`.
 * Throws INVALID_ARGUMENT for a path that is no field: GraphQL cannot even ask for it.
 */
export function maskedFields(model: Model, message: DescMessage, paths: readonly string[], maskName: string): string {
  if (paths.length === 0 || (paths.length === 1 && paths[0] === "*")) return allFields(model, message);
  return selectTree(model, message, treeOf(paths), (path) => noField(message, path, maskName));
}
