// Which message and enum of the contract after is which of the contract before, and where their values travel: by their use in operations, so
// that a type with another name is still known.
import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import type { HttpBinding, Operation } from "@roundtrip/contract";
import type { Place } from "../change.ts";
import { pairMembers, type PairedMembers } from "./pair-members.ts";
import { isSameOnTheWire } from "./value-type.ts";

export interface MessagePair {
  readonly before: DescMessage;
  readonly after: DescMessage;
  readonly fields: PairedMembers<DescField>;
  /** Where messages of the type travel. */
  readonly places: ReadonlySet<Place>;
  /** Where a field does, of either contract. */
  readonly placesOf: (field: DescField) => ReadonlySet<Place>;
}

export interface EnumPair {
  readonly before: DescEnum;
  readonly after: DescEnum;
  readonly places: ReadonlySet<Place>;
}

export interface TypePairs {
  readonly messages: readonly MessagePair[];
  readonly enums: readonly EnumPair[];
}

export type OperationPair = readonly [before: Operation, after: Operation];

/** Types whose spelling is their own, and fixed. */
function isWellKnown({ typeName }: DescMessage): boolean {
  return typeName.startsWith("google.protobuf.");
}

/** Where a field of a request goes by a binding. `outer` is where its message goes, undefined for the request itself. */
function placeBy({ path, body }: HttpBinding, fieldPath: string, outer: Place | undefined, field: DescField): Place {
  if (path.variables.some((variable) => variable.fieldPath.join(".") === fieldPath)) return "path";
  if (outer === "body" || outer === "unsaid") return outer;
  if (outer === undefined && (body === "*" || body === field.name)) return "body";
  const isUnsayable = field.fieldKind === "map" || (field.fieldKind === "list" && field.message !== undefined);
  return isUnsayable ? "unsaid" : "query";
}

interface Growing {
  readonly before: DescMessage;
  readonly after: DescMessage;
  readonly fields: PairedMembers<DescField>;
  readonly places: Set<Place>;
  readonly placesOfField: Map<string, Set<Place>>;
}

interface Visit {
  readonly before: DescMessage;
  readonly after: DescMessage;
  readonly prefix: string;
  readonly outer: Place | undefined;
  /** Undefined for an answer. */
  readonly bindings: readonly [HttpBinding, HttpBinding] | undefined;
}

class Walk {
  readonly messages = new Map<string, Growing>();
  readonly enums = new Map<string, EnumPair & { readonly places: Set<Place> }>();
  readonly #seen = new Set<string>();

  visit({ before, after, prefix, outer, bindings }: Visit): void {
    const name = `${before.typeName} ${after.typeName}`;
    const pair = this.#pairOf(name, before, after);
    if (outer !== undefined) pair.places.add(outer);
    // A request's own fields lie where its binding says: each binding is looked at. Deeper ones lie where their message does.
    const key = `${name} ${prefix === "" && bindings !== undefined ? bindings[0].path.source + bindings[0].method : outer}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const placeOf = (field: DescField, side: 0 | 1): Place =>
      bindings === undefined ? "answer" : placeBy(bindings[side], prefix + field.name, outer, field);
    const note = (field: DescField, side: 0 | 1): Place => {
      const place = placeOf(field, side);
      const known = pair.placesOfField.get(field.toString()) ?? new Set();
      pair.placesOfField.set(field.toString(), known.add(place));
      if (prefix === "") pair.places.add(place);
      return place;
    };
    for (const field of pair.fields.removed) note(field, 0);
    for (const field of pair.fields.added) note(field, 1);
    for (const [old, young] of pair.fields.pairs) {
      const place = note(old, 0);
      if (old.enum !== undefined && young.enum !== undefined) this.#noteEnum(old.enum, young.enum, place);
      if (old.message === undefined || young.message === undefined) continue;
      if (isWellKnown(old.message) || isWellKnown(young.message)) continue;
      this.visit({
        before: old.message,
        after: young.message,
        prefix: `${prefix}${old.name}.`,
        outer: place,
        bindings,
      });
    }
  }

  #pairOf(name: string, before: DescMessage, after: DescMessage): Growing {
    const known = this.messages.get(name);
    if (known !== undefined) return known;
    const fields = pairMembers(before.fields, after.fields, isSameOnTheWire);
    const made = { before, after, fields, places: new Set<Place>(), placesOfField: new Map<string, Set<Place>>() };
    this.messages.set(name, made);
    return made;
  }

  #noteEnum(before: DescEnum, after: DescEnum, place: Place): void {
    const name = `${before.typeName} ${after.typeName}`;
    const known = this.enums.get(name) ?? { before, after, places: new Set<Place>() };
    known.places.add(place);
    this.enums.set(name, known);
  }
}

/** The types that these operations use, in pairs. */
export function pairTypes(operations: readonly OperationPair[]): TypePairs {
  const walk = new Walk();
  for (const [old, young] of operations) {
    for (const binding of old.bindings) {
      const { input: before } = old;
      const bindings = [binding, young.bindings[0]] as const;
      walk.visit({ before, after: young.input, prefix: "", outer: undefined, bindings });
    }
    walk.visit({ before: old.output, after: young.output, prefix: "", outer: "answer", bindings: undefined });
  }
  const nowhere: ReadonlySet<Place> = new Set();
  return {
    messages: [...walk.messages.values()].map(({ before, after, fields, places, placesOfField }) => ({
      before,
      after,
      fields,
      places,
      placesOf: (field) => placesOfField.get(field.toString()) ?? nowhere,
    })),
    enums: [...walk.enums.values()],
  };
}
