// A contract as GraphQL: root fields, types and their names, as plain data. The server's schema, the client's documents and the
// descriptions for people are all read from here, so they cannot disagree.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { mustBeGiven } from "../must-be-given.ts";
import { NameBook, rootFieldNames } from "./names.ts";
import { Naming, type Direction } from "./naming.ts";
import { closesRequiredCycle } from "./required-cycle.ts";
import { shapeOf, type Carrier, type Shape } from "./shape.ts";

/** A type as it is written: `Int!`, `[Customer!]!`. */
export interface TypeRef {
  readonly name: string;
  readonly isList: boolean;
  readonly isNonNull: boolean;
  readonly areElementsNonNull: boolean;
}

export interface Argument {
  readonly name: string;
  readonly type: TypeRef;
  /** The request's field; undefined for a mutation's `input`, which is the whole request. */
  readonly field: DescField | undefined;
}

/** An operation's field on the query, mutation or subscription type. */
export interface RootField {
  readonly operation: Operation;
  readonly root: "query" | "mutation" | "subscription";
  readonly name: string;
  readonly arguments: readonly Argument[];
  readonly result: TypeRef;
  /** The response says nothing: the result is `true`. */
  readonly isEmpty: boolean;
}

export interface Model {
  readonly contract: Contract;
  /** One for each operation that is called with one message, in the contract's order. */
  readonly roots: readonly RootField[];
  /** By operation id. */
  readonly rootOf: ReadonlyMap<string, RootField>;
  /** The fields that GraphQL shows: all but the read mask, which is the selection set. */
  shapes(message: DescMessage): readonly Shape[];
  /** The type of a field, or of a map's entries, in a response or in a request. */
  typeOf(shape: Shape, direction: Direction): TypeRef;
  /** The type of what a field or a map's entry holds. */
  valueTypeOf(value: Carrier, direction: Direction): string;
  /** The name of a map field's entry type. */
  entryTypeOf(field: DescField, direction: Direction): string;
}

/** Text as it stands in a schema. */
export function typeText({ name, isList, isNonNull, areElementsNonNull }: TypeRef): string {
  const inner = isList ? `[${name}${areElementsNonNull ? "!" : ""}]` : name;
  return isNonNull ? `${inner}!` : inner;
}

function isListItself(value: Carrier): boolean {
  return value.kind === "fields" || (value.kind === "leaf" && value.leaf.isList);
}

/** What answers with a stream is a subscription; of the rest, what changes nothing is a query. */
function rootOf({ kind, sideEffects }: Operation): RootField["root"] {
  if (kind === "server_streaming") return "subscription";
  return sideEffects === "none" ? "query" : "mutation";
}

function modelOf(contract: Contract): Model {
  const operations = contract.operations.filter(({ kind }) => kind === "unary" || kind === "server_streaming");
  const masks = new Set(operations.flatMap(({ readMask }) => (readMask === undefined ? [] : [readMask])));
  const shapesOf = new Map<DescMessage, readonly Shape[]>();
  const shapes = (message: DescMessage): readonly Shape[] => {
    const known = shapesOf.get(message);
    if (known !== undefined) return known;
    const made = message.fields.filter((field) => !masks.has(field)).map((field) => shapeOf(field, contract.registry));
    shapesOf.set(message, made);
    return made;
  };
  const naming = new Naming(operations, shapes);
  const typeOf = (shape: Shape, direction: Direction): TypeRef => ({
    name: shape.arrangement === "map" ? naming.entry(shape.field, direction) : naming.value(shape.value, direction),
    isList: shape.arrangement !== "one" || isListItself(shape.value),
    isNonNull:
      direction === "output" ? shape.isAlwaysSet : mustBeGiven(shape.field) && !closesRequiredCycle(shape.field),
    areElementsNonNull: shape.arrangement === "map" || shape.areElementsNonNull,
  });
  const books = { query: new NameBook(), mutation: new NameBook(), subscription: new NameBook() };
  const roots = operations.map((operation): RootField => {
    const root = rootOf(operation);
    const isEmpty = operation.output.fields.length === 0;
    const plain = { isList: false, areElementsNonNull: true };
    const flat = shapes(operation.input);
    const input = { name: naming.value({ kind: "message", message: operation.input }, "input"), ...plain };
    const whole: Argument = { name: "input", type: { ...input, isNonNull: true }, field: undefined };
    return {
      operation,
      root,
      name: books[root].claim(rootFieldNames(operation.method, root === "query")),
      arguments:
        root === "mutation"
          ? flat.slice(0, 1).map(() => whole)
          : flat.map((shape) => ({ name: shape.name, type: typeOf(shape, "input"), field: shape.field })),
      result: {
        name: isEmpty ? "Boolean" : naming.value({ kind: "message", message: operation.output }, "output"),
        // A query that fails leaves the other fields of its document alone; a mutation's answer is never absent without an error.
        isNonNull: root !== "query",
        ...plain,
      },
      isEmpty,
    };
  });
  return {
    contract,
    roots,
    rootOf: new Map(roots.map((root) => [root.operation.id, root])),
    shapes,
    typeOf,
    valueTypeOf: (value, direction) => naming.value(value, direction),
    entryTypeOf: (field, direction) => naming.entry(field, direction),
  };
}

const known = new WeakMap<Contract, Model>();

/** The GraphQL model of a contract, made once. */
export function graphqlModel(contract: Contract): Model {
  const model = known.get(contract) ?? modelOf(contract);
  known.set(contract, model);
  return model;
}
