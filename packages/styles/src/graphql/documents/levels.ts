// Which fields a read mask asks for, and how deeply recursive types are selected.
import type { DescMessage } from "@bufbuild/protobuf";
import { cyclesBy, memoize } from "@roundtrip/contract";
import { maxDepth, maxRecursion } from "./document-limits.ts";
import type { Model } from "../schema/model.ts";
import type { Shape } from "../schema/shape.ts";
import type { Part } from "../values/convert.ts";

/** The cycle of each message type; undefined for a type that is not recursive. No document can select all of a recursive type. */
export const cyclesOf = memoize((model: Model) =>
  cyclesBy((message) =>
    model.shapes(message).flatMap(({ value }) => (value.kind === "message" ? [value.message] : [])),
  ),
);

// A read mask as a tree of field names.

export type MaskTree = ReadonlyMap<string, MaskTree | "all">;

type Growing = Map<string, Growing | "all">;

/** No path, or `*` alone, selects all. A path selects everything in its last field, whatever other paths select there. */
export function maskTree(paths: readonly string[]): MaskTree | "all" {
  if (paths.length === 0 || (paths.length === 1 && paths[0] === "*")) return "all";
  const root: Growing = new Map();
  for (const path of paths) {
    const names = path.split(".");
    let at = root;
    for (const [index, name] of names.entries()) {
      const next = at.get(name);
      if (next === "all") break;
      if (index === names.length - 1) {
        at.set(name, "all");
        break;
      }
      const deeper: Growing = next ?? new Map<string, Growing | "all">();
      at.set(name, deeper);
      at = deeper;
    }
  }
  return root;
}

// How deeply documents select recursive types, and how many fields that takes.

/** A message at some depth of a document. Equal positions of the same levels are one object, and have equal selections. */
export interface Position {
  readonly message: DescMessage;
  /** How many more messages of its cycle may be nested; 0 for a type that is not recursive. */
  readonly left: number;
  /** How many more fields may be nested; infinite if the message needs no more than remain. */
  readonly depthLeft: number;
}

/** The counts of a server's limits, with all fragments expanded. */
export interface Extent {
  readonly selections: number;
  readonly depth: number;
}

export interface Levels {
  /** The position of a message outside a cycle; undefined if the document is too deep for it. */
  first(message: DescMessage, depthLeft: number): Position | undefined;
  /** The position of a field's message; undefined where the selection ends. */
  inside(position: Position, message: DescMessage, shape: Shape): Position | undefined;
  /** The fields that are messages, and their positions. Cached: the answers of a thousand operations may contain the same ten thousand types. */
  contentsOf(position: Position): readonly Content[];
  extentOf(position: Position): Extent;
}

export interface Content {
  readonly shape: Shape;
  readonly message: DescMessage;
  readonly position: Position | undefined;
}

/** The minimum depth of a message: a map or a oneof, its content, and whether there is more. */
const leastDepth = 3;

function around({ selections, depth }: Extent): Extent {
  return { selections: selections + 1, depth: depth + 1 };
}

function together(extents: readonly Extent[]): Extent {
  return {
    selections: extents.reduce((sum, { selections }) => sum + selections, 0),
    depth: extents.reduce((most, { depth }) => Math.max(most, depth), 0),
  };
}

const nothing: Extent = { selections: 0, depth: 0 };
const singleField = around(nothing);

/** The field levels between a message and the fields of a nested message. */
export function stepsTo({ arrangement, field }: Shape): number {
  return arrangement === "map" || field.oneof !== undefined ? 2 : 1;
}

function makeLevels(model: Model, perCycle: number): Levels {
  const cycleOf = cyclesOf(model);
  const extents = new Map<Position, Extent>();
  const positions = new Map<DescMessage, Map<number, Position>>();

  function known(message: DescMessage, left: number, depthLeft: number): Position {
    let ofMessage = positions.get(message);
    if (ofMessage === undefined) positions.set(message, (ofMessage = new Map<number, Position>()));
    const key = left * (maxDepth + 1) + (depthLeft === Number.POSITIVE_INFINITY ? 0 : depthLeft);
    let position = ofMessage.get(key);
    if (position === undefined) ofMessage.set(key, (position = { message, left, depthLeft }));
    return position;
  }
  function positionOf(message: DescMessage, left: number, depthLeft: number): Position | undefined {
    const whole = known(message, left, Number.POSITIVE_INFINITY);
    if (depthLeft === Number.POSITIVE_INFINITY || extentOf(whole).depth <= depthLeft) return whole;
    return depthLeft < leastDepth ? undefined : known(message, left, depthLeft);
  }
  function first(message: DescMessage, depthLeft: number): Position | undefined {
    const cycle = cycleOf(message);
    return positionOf(
      message,
      cycle === undefined ? 0 : Math.min(perCycle, (maxRecursion + 1) * cycle.size),
      depthLeft,
    );
  }
  function inside(above: Position, message: DescMessage, shape: Shape): Position | undefined {
    const depthLeft = above.depthLeft - stepsTo(shape);
    const cycle = cycleOf(message);
    if (cycle?.has(above.message) !== true) return first(message, depthLeft);
    return above.left > 1 ? positionOf(message, above.left - 1, depthLeft) : undefined;
  }
  function extentOfShape(above: Position, shape: Shape): Extent {
    const { arrangement, value } = shape;
    const within = value.kind === "message" ? inside(above, value.message, shape) : undefined;
    const ends = value.kind === "message" ? singleField : nothing;
    const inner = within === undefined ? ends : extentOf(within);
    return around(arrangement === "map" ? together([singleField, around(inner)]) : inner);
  }
  function extentOfPart(above: Position, part: Part): Extent {
    if (!("members" in part)) return extentOfShape(above, part);
    return around(together(part.members.map((member) => extentOfShape(above, member))));
  }
  function sumOf(at: Position): Extent {
    return together(model.parts(at.message).map((part) => extentOfPart(at, part)));
  }
  const contentsOf = memoize((at: Position): readonly Content[] =>
    model.shapes(at.message).flatMap((shape) => {
      const { value } = shape;
      if (value.kind !== "message") return [];
      return [{ shape, message: value.message, position: inside(at, value.message, shape) }];
    }),
  );
  function positionsInside(at: Position): readonly Position[] {
    const found: Position[] = [];
    for (const shape of model.shapes(at.message)) {
      const position = shape.value.kind === "message" ? inside(at, shape.value.message, shape) : undefined;
      if (position !== undefined) found.push(position);
    }
    return found;
  }
  /** Computes the extents of what a position contains first, without recursion: a contract may nest thousands of types. */
  function extentOfFree(at: Position): Extent {
    const path = [at];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const unknown = extents.has(last) ? [] : positionsInside(last).filter((inner) => !extents.has(inner));
      if (unknown.length > 0) {
        for (const position of unknown) path.push(position);
        continue;
      }
      if (!extents.has(last)) extents.set(last, sumOf(last));
      path.pop();
    }
    return extents.get(at) ?? nothing;
  }
  function extentOf(at: Position): Extent {
    const extent = extents.get(at);
    if (extent !== undefined) return extent;
    if (at.depthLeft === Number.POSITIVE_INFINITY) return extentOfFree(at);
    const limited = sumOf(at);
    extents.set(at, limited);
    return limited;
  }
  return { first, inside, contentsOf, extentOf };
}

const levelsByModel = new WeakMap<Model, Levels[]>();

/** Cached per model, because many answers contain the same messages. @param perCycle maximum nesting of one cycle, shared by its types. */
export function levelsOf(model: Model, perCycle: number): Levels {
  const made = levelsByModel.get(model) ?? [];
  levelsByModel.set(model, made);
  return (made[perCycle] ??= makeLevels(model, perCycle));
}
