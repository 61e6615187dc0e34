// The names of a contract's elements in its GraphQL schema, as coordinates: `Customer`, `Customer.name`, `Query.customer.id`. By them, changes of the
// contract explain differences of the schemas.
import type { DescEnum, DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import type { Change } from "../diff/change.ts";
import type { Models, SchemaDifference } from "./graphql-schema.ts";
import type { Model, Direction } from "@roundtrip/styles/graphql/server";

const directions: readonly Direction[] = ["output", "input"];
const rootTypes = { query: "Query", mutation: "Mutation", subscription: "Subscription" } as const;

/** The types of a message, for answers and for requests; empty if the schema does not have the message. */
function messageTypes(model: Model, message: DescMessage): readonly (readonly [Direction, string])[] {
  return directions.flatMap((direction) => {
    const name = model.valueTypeOf({ kind: "message", message }, direction);
    return name === "" ? [] : [[direction, name] as const];
  });
}

export function typeNames(model: Model, desc: DescMessage | DescEnum): readonly string[] {
  if (desc.kind === "message") return messageTypes(model, desc).map(([, name]) => name);
  const name = model.valueTypeOf({ kind: "enum", enum: desc }, "output");
  return name === "" ? [] : [name];
}

/** The root field of an operation, and its root type, which disappears with its last field; empty if GraphQL does not carry the operation. */
function operationNames(model: Model, { id }: Operation): readonly string[] {
  const root = model.rootOf.get(id);
  return root === undefined ? [] : [`${rootTypes[root.root]}.${root.name}`, rootTypes[root.root]];
}

function argumentNames(model: Model, member: DescField | DescOneof): readonly string[] {
  return model.roots.flatMap(({ root, name, operation, arguments: args }) => {
    if (operation.input !== member.parent) return [];
    return args.flatMap(({ name: argument, part }) => {
      if (part === undefined) return [];
      const isIt = "members" in part ? part.oneof === member : part.field === member;
      return isIt ? [`${rootTypes[root]}.${name}.${argument}`] : [];
    });
  });
}

function oneofNames(model: Model, field: DescField, oneof: DescOneof): readonly string[] {
  const choice = model.parts(field.parent).find((part) => "members" in part && part.oneof === oneof);
  if (choice === undefined || !("members" in choice)) return [];
  const member = choice.members.find((candidate) => candidate.field === field);
  const types = messageTypes(model, field.parent);
  return [
    ...argumentNames(model, oneof),
    ...types.map(([, name]) => `${name}.${choice.name}`),
    ...types.flatMap(([direction]) => {
      const { name } = model.typeOf(choice, direction);
      return member === undefined ? [name] : [name, `${name}.${member.name}`, model.memberTypeOf(member)];
    }),
    ...(member === undefined ? [] : [`${model.memberTypeOf(member)}.${member.name}`]),
  ];
}

/** The value of a field in the mask enum of its message: `CustomerField.PHONE_NUMBER`. */
function maskNames(model: Model, { parent, name }: DescField): readonly string[] {
  const fields = model.valueTypeOf({ kind: "fields", message: parent }, "input");
  const value = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase();
  return fields === "" ? [] : [`${fields}.${value}`];
}

/** All coordinates of a field: members of its message's types, arguments, types of map entries or of a oneof. */
function fieldNames(model: Model, field: DescField): readonly string[] {
  const shape = model.shapes(field.parent).find((candidate) => candidate.field === field);
  if (shape === undefined) return [];
  const types = messageTypes(model, field.parent);
  const entries =
    field.fieldKind === "map"
      ? directions.map((direction) => model.entryTypeOf(field, direction)).filter((name) => name !== "")
      : [];
  return [
    ...types.map(([, name]) => `${name}.${shape.name}`),
    ...argumentNames(model, field),
    ...maskNames(model, field),
    ...entries.flatMap((name) => [name, `${name}.key`, `${name}.value`]),
    ...(field.oneof === undefined ? [] : oneofNames(model, field, field.oneof)),
  ];
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
  "field-utf8-changed",
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
