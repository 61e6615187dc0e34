// How far a document goes into types that hold themselves, and how much it asks for by that.
import type { DescMessage } from "@bufbuild/protobuf";
import { cyclesOf } from "../schema/cycles.ts";
import { maxRecursion } from "./document-limits.ts";
import type { Part } from "../schema/choice.ts";
import type { Model } from "../schema/model.ts";
import type { Shape } from "../schema/shape.ts";

/** A message somewhere in a document. Messages at equal places are asked for alike. */
export interface Place {
  readonly message: DescMessage;
  /** How many messages of its cycle may stand inside each other from here on; 0 for a type that does not hold itself. */
  readonly left: number;
  /** How many fields may stand inside each other from here on; infinite where the message needs no more than there are. */
  readonly room: number;
}

/** Equal for equal places. */
export function keyOf({ message, left, room }: Place): string {
  return `${message.typeName} ${left} ${room}`;
}

/** What a server counts, with all fragments spread out. */
export interface Extent {
  readonly selections: number;
  readonly depth: number;
}

export interface Levels {
  /** Where a message stands that is asked for by itself; undefined when there is no room for it. */
  first(message: DescMessage, room: number): Place | undefined;
  /** Where the message of a field stands; undefined where asking ends. */
  inside(place: Place, message: DescMessage, shape: Shape): Place | undefined;
  extentOf(place: Place): Extent;
}

/** The least that a message takes: a map or a oneof, what it holds, and whether there is more. */
const leastRoom = 3;

/** A field with what is asked for inside it. */
function around({ selections, depth }: Extent): Extent {
  return { selections: selections + 1, depth: depth + 1 };
}

function together(extents: readonly Extent[]): Extent {
  return {
    selections: extents.reduce((sum, { selections }) => sum + selections, 0),
    depth: Math.max(0, ...extents.map(({ depth }) => depth)),
  };
}

const nothing: Extent = { selections: 0, depth: 0 };
const one = around(nothing);

/** Fields from a message to the fields of a message that it holds. */
export function stepsTo({ arrangement, field }: Shape): number {
  return arrangement === "map" || field.oneof !== undefined ? 2 : 1;
}

function makeLevels(model: Model, perCycle: number): Levels {
  const cycleOf = cyclesOf(model);
  const known = new Map<string, Extent>();

  function place(message: DescMessage, left: number, room: number): Place | undefined {
    const free: Place = { message, left, room: Number.POSITIVE_INFINITY };
    if (extentOf(free).depth <= room) return free;
    return room < leastRoom ? undefined : { message, left, room };
  }
  function first(message: DescMessage, room: number): Place | undefined {
    const cycle = cycleOf(message);
    return place(message, cycle === undefined ? 0 : Math.min(perCycle, (maxRecursion + 1) * cycle.size), room);
  }
  function inside(above: Place, message: DescMessage, shape: Shape): Place | undefined {
    const room = above.room - stepsTo(shape);
    const cycle = cycleOf(message);
    if (cycle?.has(above.message) !== true) return first(message, room);
    return above.left > 1 ? place(message, above.left - 1, room) : undefined;
  }
  function extentOfShape(above: Place, shape: Shape): Extent {
    const { arrangement, value } = shape;
    const within = value.kind === "message" ? inside(above, value.message, shape) : undefined;
    const ends = value.kind === "message" ? one : nothing;
    const inner = within === undefined ? ends : extentOf(within);
    return around(arrangement === "map" ? together([one, around(inner)]) : inner);
  }
  function extentOfPart(above: Place, part: Part): Extent {
    if (!("members" in part)) return extentOfShape(above, part);
    return around(together(part.members.map((member) => extentOfShape(above, member))));
  }
  function extentOf(at: Place): Extent {
    const key = keyOf(at);
    const extent = known.get(key) ?? together(model.parts(at.message).map((part) => extentOfPart(at, part)));
    known.set(key, extent);
    return extent;
  }
  return { first, inside, extentOf };
}

const known = new WeakMap<Model, Levels[]>();

/**
 * Made once for all operations: large contracts have many whose answers hold the same messages.
 *
 * @param perCycle messages of one cycle inside each other, at most; types that hold each other share them.
 */
export function levelsOf(model: Model, perCycle: number): Levels {
  const made = known.get(model) ?? [];
  known.set(model, made);
  return (made[perCycle] ??= makeLevels(model, perCycle));
}
