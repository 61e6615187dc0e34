// A contract as GraphQL root fields, types and names, in plain data: the common source of schema, documents and descriptions.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { type Contract, cyclesBy, type Operation, memoize } from "@roundtrip/contract";
import { changedFields, isPatchItself, wholeRequires } from "@roundtrip/contract/field-rules";
import type { Part } from "../values/convert.ts";
import { fieldName } from "./field-name.ts";
import { NameRegistry, rootFieldNames, Naming, type Direction } from "./names.ts";
import { shapeOf, type ValueType, type Shape } from "./shape.ts";

/** A type reference such as `Int!` or `[Customer!]!`. */
export interface TypeRef {
  readonly name: string;
  readonly isList: boolean;
  readonly isNonNull: boolean;
  readonly areElementsNonNull: boolean;
}

export interface Argument {
  readonly name: string;
  readonly type: TypeRef;
  /** The part of the request that it sets; undefined for a mutation's `input`, which is the whole request. */
  readonly part: Part | undefined;
}

export interface RootField {
  readonly operation: Operation;
  readonly root: "query" | "mutation" | "subscription";
  readonly name: string;
  readonly arguments: readonly Argument[];
  readonly result: TypeRef;
  /** Whether the response message is empty: the result is then `true`. */
  readonly isEmpty: boolean;
}

export interface Model {
  readonly contract: Contract;
  /** One for each operation with a single request, in the contract's order. */
  readonly roots: readonly RootField[];
  readonly rootOf: ReadonlyMap<string, RootField>;
  /** The fields of a message in GraphQL, oneof members included: all but the read mask, which is the selection set. */
  shapes(message: DescMessage): readonly Shape[];
  /** The same, with each oneof as one part. */
  parts(message: DescMessage): readonly Part[];
  /** The type of a field, map or oneof, in a response or request. */
  typeOf(part: Part, direction: Direction): TypeRef;
  /** The object type with a oneof member as its only field. */
  memberTypeOf(member: Shape): string;
  /** The type of one value of a field or map. Empty for a message that no request sends in part, as a patch. */
  valueTypeOf(value: ValueType, direction: Direction): string;
  entryTypeOf(field: DescField, direction: Direction): string;
}

export function typeText({ name, isList, isNonNull, areElementsNonNull }: TypeRef): string {
  const inner = isList ? `[${name}${areElementsNonNull ? "!" : ""}]` : name;
  return isNonNull ? `${inner}!` : inner;
}

function isListItself(value: ValueType): boolean {
  return value.kind === "fields" || (value.kind === "leaf" && value.leaf.isList);
}

/** Operations with a response stream are subscriptions; others without side effects are queries. */
function rootOf({ kind, sideEffects }: Operation): RootField["root"] {
  if (kind === "server_streaming") return "subscription";
  return sideEffects === "none" ? "query" : "mutation";
}

/** Groups the members of each oneof, at the position of the first. */
function groupOneofs(shapes: readonly Shape[]): readonly Part[] {
  const membersOf = Map.groupBy(shapes, ({ field }) => field.oneof);
  return shapes.flatMap((shape): readonly Part[] => {
    const { oneof } = shape.field;
    if (oneof === undefined) return [shape];
    const members = membersOf.get(oneof) ?? [];
    return members[0] === shape ? [{ oneof, name: fieldName(oneof), members }] : [];
  });
}

const requiredCycleOf = cyclesBy(({ fields }) =>
  fields.flatMap((field) => (field.fieldKind === "message" && wholeRequires(field) ? [field.message] : [])),
);

/** Whether a required field contains its own message. No request can satisfy that, and GraphQL cannot express it. */
function closesRequiredCycle({ fieldKind, message, parent }: DescField): boolean {
  return fieldKind === "message" && message !== undefined && requiredCycleOf(parent)?.has(message) === true;
}

/** Caches a function of messages. */
function perMessage<T>(make: (message: DescMessage) => T): (message: DescMessage) => T {
  const made = new Map<DescMessage, T>();
  return (message) => {
    const known = made.get(message);
    if (known !== undefined) return known;
    const value = make(message);
    made.set(message, value);
    return value;
  };
}

/** Whether an input must have the field. A patch has what its mask names. */
function mustBeSent(field: DescField, isPatch: boolean): boolean {
  if (closesRequiredCycle(field)) return false;
  return isPatch ? field.presence === Presence.LEGACY_REQUIRED : wholeRequires(field);
}

function typesBy(naming: Naming): Model["typeOf"] {
  return (part, direction) => {
    if ("members" in part) {
      return { name: naming.choice(part, direction), isList: false, isNonNull: false, areElementsNonNull: true };
    }
    const { arrangement, field, value } = part;
    const isPatch = direction === "patch" || isPatchItself(field.parent);
    const isInPart = direction === "patch" ? arrangement === "one" : changedFields(field.parent).has(field);
    const inside = direction === "output" ? direction : isInPart ? "patch" : "input";
    return {
      name: arrangement === "map" ? naming.entry(field, direction) : naming.value(value, inside),
      isList: arrangement !== "one" || isListItself(value),
      isNonNull: direction === "output" ? part.isAlwaysSet : mustBeSent(field, isPatch),
      areElementsNonNull: arrangement === "map" || part.areElementsNonNull,
    };
  };
}

function rootsOf(
  operations: readonly Operation[],
  naming: Naming,
  { parts, typeOf }: Pick<Model, "parts" | "typeOf">,
): readonly RootField[] {
  const books = { query: new NameRegistry(), mutation: new NameRegistry(), subscription: new NameRegistry() };
  return operations.map((operation): RootField => {
    const root = rootOf(operation);
    const isEmpty = operation.output.fields.length === 0;
    const plain = { isList: false, areElementsNonNull: true };
    const flat = parts(operation.input);
    const input = { name: naming.value({ kind: "message", message: operation.input }, "input"), ...plain };
    const whole: Argument = { name: "input", type: { ...input, isNonNull: true }, part: undefined };
    return {
      operation,
      root,
      name: books[root].claim(rootFieldNames(operation.method, root === "query")),
      arguments:
        root === "mutation"
          ? flat.slice(0, 1).map(() => whole)
          : flat.map((part) => ({ name: part.name, type: typeOf(part, "input"), part })),
      result: {
        name: isEmpty ? "Boolean" : naming.value({ kind: "message", message: operation.output }, "output"),
        // A failed query must not remove the other fields of its document; a mutation's answer is null only with an error.
        isNonNull: root !== "query",
        ...plain,
      },
      isEmpty,
    };
  });
}

/** The GraphQL model of a contract, made once. */
export const graphqlModel = memoize((contract: Contract): Model => {
  const operations = contract.operations.filter(({ kind }) => kind === "unary" || kind === "server_streaming");
  const masks = new Set(operations.flatMap(({ readMask }) => (readMask === undefined ? [] : [readMask])));
  const shapes = perMessage(({ fields }) =>
    fields.filter((field) => !masks.has(field)).map((field) => shapeOf(field, contract.registry)),
  );
  const parts = perMessage((message) => groupOneofs(shapes(message)));
  const naming = new Naming(operations, { shapes, parts });
  const typeOf = typesBy(naming);
  const roots = rootsOf(operations, naming, { parts, typeOf });
  return {
    contract,
    roots,
    rootOf: new Map(roots.map((root) => [root.operation.id, root])),
    shapes,
    parts,
    typeOf,
    memberTypeOf: (member) => naming.member(member),
    valueTypeOf: (value, direction) => naming.value(value, direction),
    entryTypeOf: (field, direction) => naming.entry(field, direction),
  };
});
