// The differences between the GraphQL schemas of two contracts that earlier documents may notice, and the changes of the contract that explain them.
import type { Operation } from "@roundtrip/contract";
import type { Model } from "@roundtrip/styles/graphql/parts";
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
import type { Change } from "../diff/change.ts";
import { operationPairs } from "../diff/operation-changes.ts";
import { fieldNames, operationNames, typeNames } from "./graphql-names.ts";

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

/** The coordinates at which a change may appear. */
function coordinatesOf(change: Change, { before, after }: Models): readonly string[] {
  switch (change.kind) {
    case "operation-added":
      return operationNames(after, change.operation);
    case "operation-removed":
      return operationNames(before, change.operation);
    case "operation-moved":
    case "streaming-changed":
    case "side-effects-changed":
      return [...operationNames(before, change.before), ...operationNames(after, change.after)];
    case "type-moved":
      return [...typeNames(before, change.before), ...typeNames(after, change.after)];
    case "field-added":
      return fieldNames(after, change.field);
    case "field-removed":
      return fieldNames(before, change.field);
    case "enum-value-added":
      return typeNames(after, change.value.parent);
    case "enum-value-removed":
      return typeNames(before, change.value.parent);
    case "enum-value-renamed":
    case "enum-value-renumbered":
    case "enum-value-alias-first":
      return [...typeNames(before, change.before.parent), ...typeNames(after, change.after.parent)];
    case "enum-closed":
    case "enum-opened":
    case "binding-added":
    case "binding-removed":
    case "binding-changed":
    case "message-rules-changed":
    case "type-added":
    case "type-removed":
      return [];
    default:
      return [...fieldNames(before, change.before), ...fieldNames(after, change.after)];
  }
}

function valueNames(change: Change): readonly string[] {
  switch (change.kind) {
    case "enum-value-added":
    case "enum-value-removed":
      return [change.value.name];
    case "enum-value-renamed":
    case "enum-value-alias-first":
    case "enum-value-renumbered":
      return [change.before.name, change.after.name];
    default:
      return [];
  }
}

function operationIds(change: Change): readonly string[] {
  switch (change.kind) {
    case "operation-added":
    case "operation-removed":
      return [change.operation.id];
    case "operation-moved":
      return [change.before.id, change.after.id];
    default:
      return [];
  }
}

/** Changes of a field that keep its GraphQL type. */
const keepsSchema: ReadonlySet<Change["kind"]> = new Set([
  "field-renumbered",
  "enum-value-renumbered",
  "field-default-changed",
]);

/** Whether a change explains a difference. */
export function isAbout(
  { where, value, typeBefore, operations }: SchemaDifference,
  change: Change,
  models: Models,
): boolean {
  if (operations !== undefined)
    return operationIds(change).some((id) => operations.some((operation) => operation.id === id));
  if (keepsSchema.has(change.kind)) return false;
  const values = valueNames(change);
  if (value === undefined && values.length > 0) return false;
  // A field is a value of its message's mask enum.
  if (value !== undefined && values.length === 0) return coordinatesOf(change, models).includes(`${where}.${value}`);
  if (value !== undefined && !values.some((name) => name === value || name.endsWith(`_${value}`))) return false;
  if (coordinatesOf(change, models).includes(where)) return true;
  // The type of a field changed because its message or enum was renamed.
  return (
    change.kind === "type-moved" &&
    typeBefore !== undefined &&
    typeNames(models.before, change.before).includes(typeBefore)
  );
}
