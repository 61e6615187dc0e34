// Pairs the messages and enums of two contracts by their use in operations, so that a renamed type is recognized, and finds where their values travel.
import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import type { Operation } from "../descriptors/contract.ts";
import type { HttpBinding } from "../descriptors/http-binding.ts";
import type { ValueLocation } from "./change.ts";
import { isSameOnTheWire } from "./value-type.ts";

interface NumberedMember {
  readonly name: string;
  readonly number: number;
}

interface PairedMembers<T> {
  readonly pairs: readonly (readonly [before: T, after: T])[];
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/**
 * Pairs members with the same name and number, then those with one of the two: the same number is a renaming (if the name is no longer used and
 * `couldBe` accepts the pair), the same name a renumbering.
 */
export function pairMembers<T extends NumberedMember>(
  before: readonly T[],
  after: readonly T[],
  couldBe: (before: T, after: T) => boolean,
): PairedMembers<T> {
  const pairs: (readonly [T, T])[] = [];
  const removed = new Set(before);
  const added = new Set(after);
  const pairUp = (isOne: (older: T, newer: T) => boolean): void => {
    for (const older of removed) {
      const found = [...added].find((newer) => isOne(older, newer));
      if (found === undefined) continue;
      pairs.push([older, found]);
      removed.delete(older);
      added.delete(found);
    }
  };
  pairUp((older, newer) => older.number === newer.number && older.name === newer.name);
  const isNameLeft = (name: string): boolean => [...added].some((newer) => newer.name === name);
  const wasName = (name: string): boolean => [...removed].some((older) => older.name === name);
  pairUp(
    (older, newer) =>
      older.number === newer.number && !isNameLeft(older.name) && !wasName(newer.name) && couldBe(older, newer),
  );
  pairUp((older, newer) => older.name === newer.name);
  return { pairs, removed: [...removed], added: [...added] };
}

export interface MessagePair {
  readonly before: DescMessage;
  readonly after: DescMessage;
  readonly fields: PairedMembers<DescField>;
  /** Where messages of the type travel. */
  readonly locations: ReadonlySet<ValueLocation>;
  /** Where a field does, of either contract. */
  readonly locationsOf: (field: DescField) => ReadonlySet<ValueLocation>;
}

export interface EnumPair {
  readonly before: DescEnum;
  readonly after: DescEnum;
  readonly locations: ReadonlySet<ValueLocation>;
}

export interface TypePairs {
  readonly messages: readonly MessagePair[];
  readonly enums: readonly EnumPair[];
}

export type OperationPair = readonly [before: Operation, after: Operation];

/** Types with a fixed JSON form. */
function isWellKnown({ typeName }: DescMessage): boolean {
  return typeName.startsWith("google.protobuf.");
}

/** Where a field of a request goes by a binding. `outer` is where its message goes, undefined for the request itself. */
function locationBy(
  { path, body }: HttpBinding,
  fieldPath: string,
  outer: ValueLocation | undefined,
  field: DescField,
): ValueLocation {
  if (path.variables.some((variable) => variable.fieldPath.join(".") === fieldPath)) return "path";
  if (outer === "body" || outer === "unmapped") return outer;
  if (outer === undefined && (body === "*" || body === field.name)) return "body";
  const isUnmapped = field.fieldKind === "map" || (field.fieldKind === "list" && field.message !== undefined);
  return isUnmapped ? "unmapped" : "query";
}

interface Growing {
  readonly before: DescMessage;
  readonly after: DescMessage;
  readonly fields: PairedMembers<DescField>;
  readonly locations: Set<ValueLocation>;
  readonly locationsOfField: Map<string, Set<ValueLocation>>;
}

interface Visit {
  readonly before: DescMessage;
  readonly after: DescMessage;
  readonly prefix: string;
  readonly outer: ValueLocation | undefined;
  /** Undefined for an answer. */
  readonly bindings: readonly [HttpBinding, HttpBinding] | undefined;
}

class Walk {
  readonly messages = new Map<string, Growing>();
  readonly enums = new Map<string, EnumPair & { readonly locations: Set<ValueLocation> }>();
  readonly #seen = new Set<string>();

  visit({ before, after, prefix, outer, bindings }: Visit): void {
    const name = `${before.typeName} ${after.typeName}`;
    const pair = this.#pairOf(name, before, after);
    if (outer !== undefined) pair.locations.add(outer);
    // A binding decides where a request's own fields travel, so each binding is visited. Deeper fields travel with their message.
    const key = `${name} ${prefix === "" && bindings !== undefined ? bindings[0].path.source + bindings[0].method : outer}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const locationOf = (field: DescField, side: 0 | 1): ValueLocation =>
      bindings === undefined ? "answer" : locationBy(bindings[side], prefix + field.name, outer, field);
    const note = (field: DescField, side: 0 | 1): ValueLocation => {
      const location = locationOf(field, side);
      const known = pair.locationsOfField.get(field.toString()) ?? new Set();
      pair.locationsOfField.set(field.toString(), known.add(location));
      if (prefix === "") pair.locations.add(location);
      return location;
    };
    for (const field of pair.fields.removed) note(field, 0);
    for (const field of pair.fields.added) note(field, 1);
    for (const [older, newer] of pair.fields.pairs) {
      const location = note(older, 0);
      if (older.enum !== undefined && newer.enum !== undefined) this.#noteEnum(older.enum, newer.enum, location);
      if (older.message === undefined || newer.message === undefined) continue;
      if (isWellKnown(older.message) || isWellKnown(newer.message)) continue;
      this.visit({
        before: older.message,
        after: newer.message,
        prefix: `${prefix}${older.name}.`,
        outer: location,
        bindings,
      });
    }
  }

  #pairOf(name: string, before: DescMessage, after: DescMessage): Growing {
    const known = this.messages.get(name);
    if (known !== undefined) return known;
    const fields = pairMembers(before.fields, after.fields, isSameOnTheWire);
    const made = {
      before,
      after,
      fields,
      locations: new Set<ValueLocation>(),
      locationsOfField: new Map<string, Set<ValueLocation>>(),
    };
    this.messages.set(name, made);
    return made;
  }

  #noteEnum(before: DescEnum, after: DescEnum, location: ValueLocation): void {
    const name = `${before.typeName} ${after.typeName}`;
    const known = this.enums.get(name) ?? { before, after, locations: new Set<ValueLocation>() };
    known.locations.add(location);
    this.enums.set(name, known);
  }
}

/** The types that these operations use, in pairs. */
export function pairTypes(operations: readonly OperationPair[]): TypePairs {
  const walk = new Walk();
  for (const [older, newer] of operations) {
    for (const binding of older.bindings) {
      const { input: before } = older;
      const bindings = [binding, newer.bindings[0]] as const;
      walk.visit({ before, after: newer.input, prefix: "", outer: undefined, bindings });
    }
    walk.visit({ before: older.output, after: newer.output, prefix: "", outer: "answer", bindings: undefined });
  }
  const nowhere: ReadonlySet<ValueLocation> = new Set();
  return {
    messages: [...walk.messages.values()].map(({ before, after, fields, locations, locationsOfField }) => ({
      before,
      after,
      fields,
      locations,
      locationsOf: (field) => locationsOfField.get(field.toString()) ?? nowhere,
    })),
    enums: [...walk.enums.values()],
  };
}
