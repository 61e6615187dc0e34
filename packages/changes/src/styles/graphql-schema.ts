// The differences between the GraphQL schemas of two contracts that earlier documents may notice.
import type { Operation } from "@roundtrip/contract";
import type { Model } from "@roundtrip/styles/graphql/server";
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  isUnionType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
} from "graphql";
import { operationPairs } from "../diff/operation-changes.ts";

export interface SchemaDifference {
  readonly kind:
    | "type-removed"
    | "type-kind-changed"
    | "field-removed"
    | "field-type-changed"
    | "input-field-required"
    | "argument-removed"
    | "argument-type-changed"
    | "argument-required"
    | "value-added"
    | "value-removed"
    | "member-added"
    | "member-removed"
    | "field-reassigned";
  readonly text: string;
  /** A coordinate: `Customer`, `Customer.name`, `Query.customer.id`. */
  readonly where: string;
  /** The value of an enum. */
  readonly value?: string;
  /** The name of the type before of a field or argument. */
  readonly typeBefore?: string;
  /** The operations of a field that another one has now. */
  readonly operations?: readonly Operation[];
}

/** Elements of both, by name: those that are only in the first, only in the second, and in both. */
function compared<T extends { readonly name: string }>(
  older: readonly T[],
  newer: readonly T[],
): { readonly removed: readonly T[]; readonly added: readonly T[]; readonly kept: readonly (readonly [T, T])[] } {
  const [before, after] = [older, newer].map((all) => new Map(all.map((element) => [element.name, element])));
  return {
    removed: older.filter(({ name }) => after?.has(name) !== true),
    added: newer.filter(({ name }) => before?.has(name) !== true),
    kept: older.flatMap((element) => {
      const same = after?.get(element.name);
      return same === undefined ? [] : [[element, same] as const];
    }),
  };
}

/** Whether a type is the other one, or the other one with more that must not be null. */
function isStricter(type: GraphQLType, other: GraphQLType): boolean {
  if (isNonNullType(other)) return isNonNullType(type) && isStricter(type.ofType, other.ofType);
  if (isNonNullType(type)) return isStricter(type.ofType, other);
  if (isListType(other)) return isListType(type) && isStricter(type.ofType, other.ofType);
  return !isListType(type) && getNamedType(type).name === getNamedType(other).name;
}

function argumentDifferences(
  where: string,
  older: GraphQLField<unknown, unknown>,
  newer: GraphQLField<unknown, unknown>,
): readonly SchemaDifference[] {
  const { removed, added, kept } = compared(older.args, newer.args);
  return [
    ...removed.map(({ name }) => ({
      kind: "argument-removed" as const,
      where: `${where}.${name}`,
      text: `${where} arg ${name} was removed`,
    })),
    ...kept.flatMap(([before, after]): readonly SchemaDifference[] =>
      isStricter(before.type, after.type)
        ? []
        : [
            {
              kind: "argument-type-changed",
              where: `${where}.${before.name}`,
              text: `${where} arg ${before.name} has changed type from ${String(before.type)} to ${String(after.type)}`,
              typeBefore: getNamedType(before.type).name,
            },
          ],
    ),
    ...added.filter(isRequiredArgument).map(({ name }) => ({
      kind: "argument-required" as const,
      where: `${where}.${name}`,
      text: `A required arg ${name} on ${where} was added`,
    })),
  ];
}

/** Of the fields of two object types, or of two input types. */
function fieldDifferences(older: GraphQLNamedType, newer: GraphQLNamedType): readonly SchemaDifference[] {
  if (isInputObjectType(older) && isInputObjectType(newer)) {
    const { removed, added, kept } = compared(Object.values(older.getFields()), Object.values(newer.getFields()));
    return [
      ...added.filter(isRequiredInputField).map(({ name }) => ({
        kind: "input-field-required" as const,
        where: `${older.name}.${name}`,
        text: `A required field ${name} on input type ${older.name} was added`,
      })),
      ...removed.map(({ name }) => removedField(older, name)),
      ...kept.flatMap(([before, after]) =>
        isStricter(before.type, after.type) ? [] : [changedField(older, before.name, before.type, after.type)],
      ),
    ];
  }
  if (!isObjectType(older) || !isObjectType(newer)) return [];
  const { removed, kept } = compared(Object.values(older.getFields()), Object.values(newer.getFields()));
  return [
    ...removed.map(({ name }) => removedField(older, name)),
    ...kept.flatMap(([before, after]) => [
      ...argumentDifferences(`${older.name}.${before.name}`, before, after),
      ...(isStricter(after.type, before.type) ? [] : [changedField(older, before.name, before.type, after.type)]),
    ]),
  ];
}

function removedField({ name: type }: GraphQLNamedType, name: string): SchemaDifference {
  return { kind: "field-removed", where: `${type}.${name}`, text: `${type}.${name} was removed` };
}

function changedField(
  { name: type }: GraphQLNamedType,
  name: string,
  before: GraphQLType,
  after: GraphQLType,
): SchemaDifference {
  return {
    kind: "field-type-changed",
    where: `${type}.${name}`,
    text: `${type}.${name} changed type from ${String(before)} to ${String(after)}`,
    typeBefore: getNamedType(before).name,
  };
}

function kindOf(type: GraphQLNamedType): string {
  if (isScalarType(type)) return "a Scalar type";
  if (isObjectType(type)) return "an Object type";
  if (isUnionType(type)) return "a Union type";
  return isEnumType(type) ? "an Enum type" : "an Input type";
}

function typeDifferences([older, newer]: readonly [GraphQLNamedType, GraphQLNamedType]): readonly SchemaDifference[] {
  const { name: where } = older;
  if (kindOf(older) !== kindOf(newer)) {
    const text = `${where} changed from ${kindOf(older)} to ${kindOf(newer)}`;
    return [{ kind: "type-kind-changed", where, text }];
  }
  if (isEnumType(older) && isEnumType(newer)) {
    const { removed, added } = compared(older.getValues(), newer.getValues());
    return [
      ...added.map(({ name: value }) => ({
        kind: "value-added" as const,
        where,
        value,
        text: `${value} was added to enum type ${where}`,
      })),
      ...removed.map(({ name: value }) => ({
        kind: "value-removed" as const,
        where,
        value,
        text: `${value} was removed from enum type ${where}`,
      })),
    ];
  }
  if (isUnionType(older) && isUnionType(newer)) {
    const { removed, added } = compared(older.getTypes(), newer.getTypes());
    return [
      ...added.map(({ name }) => ({
        kind: "member-added" as const,
        where: name,
        text: `${name} was added to union type ${where}`,
      })),
      ...removed.map(({ name }) => ({
        kind: "member-removed" as const,
        where: name,
        text: `${name} was removed from union type ${where}`,
      })),
    ];
  }
  return fieldDifferences(older, newer);
}

/** Differences that a document may notice only in its answers. */
export function isDangerous({ kind }: SchemaDifference): boolean {
  return kind === "value-added" || kind === "member-added";
}

/** The differences between two schemas, except new, optional elements, which no earlier document names: the breaking ones first. */
export function schemaDifferences(older: GraphQLSchema, newer: GraphQLSchema): readonly SchemaDifference[] {
  const { removed, kept } = compared(Object.values(older.getTypeMap()), Object.values(newer.getTypeMap()));
  const all = [
    ...removed.map(({ name }) => ({ kind: "type-removed" as const, where: name, text: `${name} was removed` })),
    ...kept.flatMap(typeDifferences),
  ];
  return [...all.filter((difference) => !isDangerous(difference)), ...all.filter(isDangerous)];
}

export interface Models {
  readonly before: Model;
  readonly after: Model;
}

/**
 * Root fields that another operation has after a change. Operations whose names collide get longer ones, in the contract's order, so that a new
 * operation, or another order, may give a field to another operation. Schemas do not show this where types are equal.
 */
export function reassignedFields({ before, after }: Models): readonly SchemaDifference[] {
  const pairs = new Map(operationPairs(before.contract, after.contract));
  return before.roots.flatMap(({ root, name, operation }): readonly SchemaDifference[] => {
    const owner = after.roots.find((field) => field.root === root && field.name === name)?.operation;
    if (owner === undefined || owner === pairs.get(operation)) return [];
    return [
      {
        kind: "field-reassigned",
        text: `${name} is ${owner.id} now`,
        where: operation.id,
        operations: [owner, operation],
      },
    ];
  });
}
