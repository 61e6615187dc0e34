// Pairs the messages and enums of two contracts by their use in operations, so that a renamed type is recognized, and finds where their values travel.
import type { DescEnum, DescField, DescMessage, FileRegistry } from "@bufbuild/protobuf";
import { type Contract, type Operation, hasOwnJson, isBeyondUrls, type HttpBinding } from "@roundtrip/contract";
import type { ValueLocation } from "./change.ts";
import { isExtension, membersOf, reachedTypes } from "./types.ts";
import { isSameOnTheWire } from "./value-type.ts";

interface NumberedMember {
  readonly name: string;
  readonly number: number;
  /** Of fields. */
  readonly jsonName?: string;
}

function haveOneName(older: NumberedMember, newer: NumberedMember): boolean {
  return older.name === newer.name || (older.jsonName !== undefined && older.jsonName === newer.jsonName);
}

interface PairedMembers<T> {
  readonly pairs: readonly (readonly [before: T, after: T])[];
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/** Members that are not paired yet, by number and names: an enum can have fifty thousand values. */
class Members<T extends NumberedMember> {
  readonly left: Set<T>;
  readonly #byNumber: ReadonlyMap<number, T[]>;
  readonly #byName: ReadonlyMap<string, T[]>;
  readonly #byJsonName: ReadonlyMap<string | undefined, T[]>;
  readonly #byBoth: ReadonlyMap<string, T[]>;
  /** How many members at the begin of a list are paired: thousands of values can share a number. */
  readonly #paired = new Map<readonly T[], number>();

  constructor(members: readonly T[]) {
    this.left = new Set(members);
    this.#byNumber = Map.groupBy(members, ({ number }) => number);
    this.#byName = Map.groupBy(members, ({ name }) => name);
    this.#byJsonName = Map.groupBy(members, ({ jsonName }) => jsonName);
    this.#byBoth = Map.groupBy(members, ({ number, name }) => `${number} ${name}`);
  }

  withBoth({ number, name }: NumberedMember): Iterable<T> {
    return this.#among(this.#byBoth.get(`${number} ${name}`));
  }

  withNumber(number: number): Iterable<T> {
    return this.#among(this.#byNumber.get(number));
  }

  withName(name: string): Iterable<T> {
    return this.#among(this.#byName.get(name));
  }

  withJsonName(jsonName: string | undefined): Iterable<T> {
    return jsonName === undefined ? [] : this.#among(this.#byJsonName.get(jsonName));
  }

  /** Whether a member has one of the names of another. */
  hasNameOf({ name, jsonName }: NumberedMember): boolean {
    for (const _ of this.withName(name)) return true;
    for (const _ of this.withJsonName(jsonName)) return true;
    return false;
  }

  *#among(members: readonly T[] = []): Iterable<T> {
    let paired = this.#paired.get(members) ?? 0;
    while (paired < members.length && !this.left.has(members[paired] as T)) paired += 1;
    this.#paired.set(members, paired);
    for (let at = paired; at < members.length; at++) if (this.left.has(members[at] as T)) yield members[at] as T;
  }
}

/**
 * Pairs members with the same name and number, then those with one of the two: the same number is a renaming (if the name is no longer used and
 * `couldBe` accepts the pair), the same name, in the contract or in JSON, a renumbering.
 */
export function pairMembers<T extends NumberedMember>(
  before: readonly T[],
  after: readonly T[],
  couldBe: (before: T, after: T) => boolean,
): PairedMembers<T> {
  const pairs: (readonly [T, T])[] = [];
  const removed = new Members(before);
  const added = new Members(after);
  const pairUp = (candidates: (older: T) => Iterable<T>, isOne: (older: T, newer: T) => boolean): void => {
    for (const older of removed.left) {
      for (const newer of candidates(older)) {
        if (!isOne(older, newer)) continue;
        pairs.push([older, newer]);
        removed.left.delete(older);
        added.left.delete(newer);
        break;
      }
    }
  };
  pairUp(
    (older) => added.withBoth(older),
    () => true,
  );
  pairUp(
    (older) => added.withNumber(older.number),
    (older, newer) =>
      (haveOneName(older, newer) || (!added.hasNameOf(older) && !removed.hasNameOf(newer))) && couldBe(older, newer),
  );
  pairUp(
    (older) => added.withName(older.name),
    () => true,
  );
  pairUp(
    (older) => added.withJsonName(older.jsonName),
    () => true,
  );
  return { pairs, removed: [...removed.left], added: [...added.left] };
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
  /** Messages that only travel in an Any, and that the other contract does not have. */
  readonly removed: readonly DescMessage[];
  readonly added: readonly DescMessage[];
  /** Where messages in an Any travel; empty without an Any. */
  readonly anyLocations: ReadonlySet<ValueLocation>;
}

export type OperationPair = readonly [before: Operation, after: Operation];

/** Where what is inside of an Any travels. No URL has one. */
function inside(location: ValueLocation): ValueLocation {
  if (location === "query") return "unmapped";
  return location.replace("whole ", "") as ValueLocation;
}

/** Whether a message is another one whose JSON is no object of its fields, or was one: they are compared as a whole. */
function isOtherJson(before: DescMessage, after: DescMessage): boolean {
  return before.typeName !== after.typeName && (hasOwnJson(before) || hasOwnJson(after));
}

/** Where a field of a request goes by a binding. `outer` is where its message goes, undefined for the request itself. */
function locationBy(
  { path, body }: HttpBinding,
  fieldPath: string,
  outer: ValueLocation | undefined,
  field: DescField,
): ValueLocation {
  if (isInPath(path, fieldPath, field)) return "path";
  if (outer === "whole body") return "body";
  if (outer === "body" || outer === "unmapped") return outer;
  if (outer === undefined && body === "*") return "body";
  if (outer === undefined && body === field.name) return "whole body";
  return isExtension(field) || isBeyondUrls(field) ? "unmapped" : "query";
}

/** Whether a field is in the path, or a message of which all fields are. */
function isInPath(path: HttpBinding["path"], fieldPath: string, field: DescField): boolean {
  if (path.variables.some((variable) => variable.fieldPath.join(".") === fieldPath)) return true;
  if (
    field.fieldKind !== "message" ||
    !path.variables.some(({ fieldPath: [first] }) => fieldPath.startsWith(`${first}`))
  )
    return false;
  const { fields } = field.message;
  return (
    fieldPath.split(".").length < 9 &&
    fields.length > 0 &&
    fields.every((member) => isInPath(path, `${fieldPath}.${member.name}`, member))
  );
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
  /** The field of an answer that is all of its body. */
  readonly responseBody?: string;
}

interface EnumUse {
  readonly before: DescEnum;
  readonly after: DescEnum;
  readonly location: ValueLocation;
}

function entryValue(field: DescField): DescMessage | undefined {
  return field.fieldKind === "map" ? field.message : field.message?.fields.find(({ number }) => number === 2)?.message;
}

/** What two fields have as messages. Where only one is a map, the other has its entries. */
function messagesOf(older: DescField, newer: DescField): readonly [DescMessage | undefined, DescMessage | undefined] {
  return (older.fieldKind === "map") === (newer.fieldKind === "map")
    ? [older.message, newer.message]
    : [entryValue(older), entryValue(newer)];
}

type Registries = readonly [before: FileRegistry, after: FileRegistry];

class Walk {
  readonly messages = new Map<string, Growing>();
  readonly enums = new Map<string, EnumPair & { readonly locations: Set<ValueLocation> }>();
  readonly #seen = new Set<string>();
  readonly #registries: Registries;
  readonly #anyLocations = new Set<ValueLocation>();

  constructor(registries: Registries) {
    this.#registries = registries;
  }

  /** Visits messages and all that they contain, in order and without recursion: thousands of types may contain each other. */
  visit(whole: Visit): void {
    const left: (Visit | EnumUse)[] = [whole];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if ("location" in next) this.#noteEnum(next.before, next.after, next.location);
      else for (const inner of this.#visitOne(next).toReversed()) left.push(inner);
    }
  }

  /** @returns what is in it */
  #visitOne({ before, after, prefix, outer, bindings, responseBody = "" }: Visit): readonly (Visit | EnumUse)[] {
    const name = `${before.typeName} ${after.typeName}`;
    const pair = this.#pairOf(name, before, after);
    if (outer !== undefined) pair.locations.add(outer);
    // A request that is no object of its fields is the whole body.
    else if (isOtherJson(before, after)) pair.locations.add("body");
    // A binding decides where a request's own fields travel, so each binding is visited. Deeper fields travel with their message.
    const key = `${name} ${prefix === "" && bindings !== undefined ? bindings[0].path.source + bindings[0].method : `${outer} ${responseBody}`}`;
    if (this.#seen.has(key)) return [];
    this.#seen.add(key);
    const answerBy = (field: DescField): ValueLocation => {
      if (responseBody !== "") return field.name === responseBody ? "whole answer" : "unmapped answer";
      return outer === "unmapped answer" ? outer : "answer";
    };
    const locationOf = (field: DescField, side: 0 | 1): ValueLocation =>
      bindings === undefined ? answerBy(field) : locationBy(bindings[side], prefix + field.name, outer, field);
    const note = (field: DescField, side: 0 | 1): ValueLocation => {
      const location = locationOf(field, side);
      const known = pair.locationsOfField.get(field.toString()) ?? new Set();
      pair.locationsOfField.set(field.toString(), known.add(location));
      if (prefix === "") pair.locations.add(location);
      return location;
    };
    const visits: (Visit | EnumUse)[] = [];
    for (const field of pair.fields.removed) note(field, 0);
    for (const field of pair.fields.added) note(field, 1);
    for (const [older, newer] of pair.fields.pairs) {
      const location = note(older, 0);
      if (older.enum !== undefined && newer.enum !== undefined)
        visits.push({ before: older.enum, after: newer.enum, location });
      const [olderMessage, newerMessage] = messagesOf(older, newer);
      if (olderMessage === undefined || newerMessage === undefined) continue;
      if (olderMessage.typeName === "google.protobuf.Any") this.#anyLocations.add(inside(location));
      if (hasOwnJson(olderMessage) || hasOwnJson(newerMessage)) continue;
      visits.push({
        before: olderMessage,
        after: newerMessage,
        prefix: `${prefix}${older.name}.`,
        outer: location,
        bindings,
      });
    }
    return visits;
  }

  /** Visits messages that only travel in an Any, and returns where. */
  visitAny(before: readonly DescMessage[], after: FileRegistry): ReadonlySet<ValueLocation> {
    for (const older of before) {
      const newer = after.getMessage(older.typeName);
      if (newer === undefined) continue;
      for (const location of this.#anyLocations) this.#inAny(older, newer, location);
    }
    return this.#anyLocations;
  }

  #inAny(before: DescMessage, after: DescMessage, outer: ValueLocation): void {
    const pair = this.#pairOf(`${before.typeName} ${after.typeName}`, before, after);
    pair.locations.add(outer);
    const all = [...pair.fields.removed, ...pair.fields.added, ...pair.fields.pairs.flat()];
    for (const field of all) {
      const locations = pair.locationsOfField.get(field.toString()) ?? new Set();
      pair.locationsOfField.set(field.toString(), locations.add(outer));
    }
    for (const [{ enum: older }, { enum: newer }] of pair.fields.pairs)
      if (older !== undefined && newer !== undefined) this.#noteEnum(older, newer, outer);
  }

  #pairOf(name: string, before: DescMessage, after: DescMessage): Growing {
    const known = this.messages.get(name);
    if (known !== undefined) return known;
    const isOther = isOtherJson(before, after);
    const fields = pairMembers(
      isOther ? [] : membersOf(before, this.#registries[0]),
      isOther ? [] : membersOf(after, this.#registries[1]),
      isSameOnTheWire,
    );
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
export function pairTypes(operations: readonly OperationPair[], before: Contract, after: Contract): TypePairs {
  const walk = new Walk([before.registry, after.registry]);
  for (const [older, newer] of operations) {
    for (const binding of older.bindings) {
      const bindings = [binding, newer.bindings[0]] as const;
      walk.visit({ before: older.input, after: newer.input, prefix: "", outer: undefined, bindings });
    }
    for (const { responseBody } of older.bindings)
      walk.visit({
        before: older.output,
        after: newer.output,
        prefix: "",
        outer: "answer",
        bindings: undefined,
        responseBody,
      });
  }
  const [olderInAny, newerInAny] = [before, after].map((contract) => [...reachedTypes(contract).onlyInAny.values()]);
  const anyLocations = walk.visitAny(olderInAny ?? [], after.registry);
  const isMissingIn = (registry: FileRegistry) => (type: DescMessage) =>
    anyLocations.size > 0 && registry.getMessage(type.typeName) === undefined;
  const nowhere: ReadonlySet<ValueLocation> = new Set();
  return {
    messages: [...walk.messages.values()].map(({ locationsOfField, ...pair }) => ({
      ...pair,
      locationsOf: (field) => locationsOfField.get(field.toString()) ?? nowhere,
    })),
    enums: [...walk.enums.values()],
    removed: olderInAny?.filter(isMissingIn(after.registry)) ?? [],
    added: newerInAny?.filter(isMissingIn(before.registry)) ?? [],
    anyLocations,
  };
}
