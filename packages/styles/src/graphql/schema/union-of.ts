// The union for a oneof in answers, with an object type for each member.
import { GraphQLObjectType, GraphQLUnionType, type GraphQLOutputType } from "graphql";
import type { Choice, Chosen } from "./choice.ts";
import { encoderOf, passOn } from "../values/convert.ts";
import { describe } from "./describe.ts";
import type { Model, TypeRef } from "./model.ts";
import type { Shape } from "./shape.ts";

type OutputOf = (ref: TypeRef) => GraphQLOutputType;

/** The type with a member as its only field. Its fields are lazy, because types may be recursive. */
function memberType(member: Shape, model: Model, outputOf: OutputOf): GraphQLObjectType<Chosen, unknown> {
  const encode = encoderOf(member, passOn);
  return new GraphQLObjectType<Chosen, unknown>({
    name: model.memberTypeOf(member),
    fields: () => ({
      [member.name]: {
        type: outputOf(model.typeOf(member, "output")),
        description: describe(member.field, model),
        resolve: ({ value }) => encode(value),
      },
    }),
  });
}

/** The union type. Its values are members as protobuf-es stores them. */
export function unionOf(choice: Choice, model: Model, outputOf: OutputOf): GraphQLUnionType {
  const typeNameOf = new Map(choice.members.map((member) => [member.field.localName, model.memberTypeOf(member)]));
  return new GraphQLUnionType({
    name: model.typeOf(choice, "output").name,
    description: describe(choice.oneof, model),
    types: choice.members.map((member) => memberType(member, model, outputOf)),
    resolveType: ({ case: chosen }: Chosen) => typeNameOf.get(chosen),
  });
}
