// The names and types of a contract's elements in its GraphQL schema: `CustomerInput.name: String!`, `Query.customer.id: Int!`.
import type { DescEnum, DescEnumValue, DescField, DescMessage } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import {
  enumNames,
  graphqlModel,
  schemaTypes,
  typeText,
  type Direction,
  type Model,
} from "@roundtrip/styles/graphql/server";
import { firstOf } from "../diff/contract-changes.ts";

export interface Schema {
  readonly model: Model;
  /** The names of its types but scalars. */
  readonly types: ReadonlySet<string>;
}

export function schemaOf(contract: Contract): Schema {
  return { model: graphqlModel(contract), types: new Set(schemaTypes(contract).types.map(({ name }) => name)) };
}

/** The name of a message or enum; undefined if the schema does not have it for this direction. */
export function typeNameOf({ model, types }: Schema, desc: DescMessage | DescEnum, direction: Direction) {
  const name = model.valueTypeOf(
    desc.kind === "message" ? { kind: "message", message: desc } : { kind: "enum", enum: desc },
    direction,
  );
  return types.has(name) ? name : undefined;
}

const rootTypes = { query: "Query", mutation: "Mutation", subscription: "Subscription" } as const;

/** The root field of an operation: `Query.customer`; undefined if GraphQL does not carry the operation. */
export function rootFieldOf({ model }: Schema, { id }: Operation): string | undefined {
  const root = model.rootOf.get(id);
  return root && `${rootTypes[root.root]}.${root.name}`;
}

/** What has the fields of a message: its type, or the root field whose arguments they are. */
export function ownerOf(schema: Schema, message: DescMessage, direction: Direction): string | undefined {
  const type = typeNameOf(schema, message, direction);
  if (type !== undefined || direction !== "input") return type;
  const root = schema.model.roots.find(({ operation }) => operation.input === message);
  return root && rootFieldOf(schema, root.operation);
}

/** A field of an object, or of an input or of arguments. */
export interface Element {
  /** Such as `Customer.name`. */
  readonly where: string;
  /** Within its owner: of a member of a oneof, the oneof's name too. */
  readonly name: string;
  readonly type: string;
  readonly isNonNull: boolean;
  /** Whether it is an argument of a root field: documents declare a variable of its type. */
  readonly isArgument: boolean;
  /** The type without what may not be null. */
  readonly nullableType: string;
}

/** Undefined for a field that the schema does not have, such as a read mask. */
export function elementOf(schema: Schema, field: DescField, direction: Direction): Element | undefined {
  const { model } = schema;
  const shape = model.shapes(field.parent).find((candidate) => candidate.field === field);
  const owner = ownerOf(schema, field.parent, direction);
  if (shape === undefined || owner === undefined) return undefined;
  const choice = model
    .parts(field.parent)
    .find((part) => "members" in part && part.members.some((member) => member.field === field));
  const name = choice === undefined ? shape.name : `${choice.name}.${shape.name}`;
  const ref = model.typeOf(shape, direction);
  // Entries of a map are named by the map.
  const inner = shape.key === undefined ? ref.name : `${shape.key.type}: ${model.valueTypeOf(shape.value, direction)}`;
  return {
    where: `${owner}.${name}`,
    name,
    type: typeText(ref),
    isNonNull: ref.isNonNull,
    isArgument: owner.includes(".") && choice === undefined,
    nullableType: typeText({ ...ref, name: inner, isNonNull: false }),
  };
}

/** The name that a value has in the schema; undefined for a second name of its number. */
export function valueNameOf(value: DescEnumValue): string | undefined {
  const { nameOf, unspecified } = enumNames(value.parent);
  return firstOf(value) === value ? (nameOf.get(value.number) ?? unspecified) : undefined;
}
