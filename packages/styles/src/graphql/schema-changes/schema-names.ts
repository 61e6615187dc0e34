// The names of a contract's elements in its GraphQL schema, as coordinates: `Customer`, `Customer.name`, `Query.customer.id`.
import type { DescEnum, DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import type { Model } from "../schema/model.ts";
import type { Direction } from "../schema/names.ts";

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
export function operationNames(model: Model, { id }: Operation): readonly string[] {
  const root = model.rootOf.get(id);
  return root === undefined ? [] : [`${rootTypes[root.root]}.${root.name}`, rootTypes[root.root]];
}

function argumentNames(model: Model, member: DescField | DescOneof): readonly string[] {
  return model.roots.flatMap(({ root, name, operation, arguments: given }) => {
    if (operation.input !== member.parent) return [];
    return given.flatMap(({ name: argument, part }) => {
      if (part === undefined) return [];
      const isIt = "members" in part ? part.oneof === member : part.field === member;
      return isIt ? [`${rootTypes[root]}.${name}.${argument}`] : [];
    });
  });
}

function oneofNames(model: Model, field: DescField, oneof: DescOneof): readonly string[] {
  const choice = model.parts(field.parent).find((part) => "members" in part && part.oneof === oneof);
  if (choice === undefined || !("members" in choice)) return [];
  const member = choice.members.find((one) => one.field === field);
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
export function fieldNames(model: Model, field: DescField): readonly string[] {
  const shape = model.shapes(field.parent).find((one) => one.field === field);
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
