// A contract as an executable GraphQL schema: a root field for each operation, and their types.
import type { Service } from "@roundtrip/contract";
import { GraphQLBoolean, GraphQLObjectType, GraphQLSchema, type GraphQLFieldConfigMap } from "graphql";
import { codecsOf } from "../values/codec.ts";
import { describe } from "./describe.ts";
import { graphqlModel, type Model, type RootField } from "./model.ts";
import { resolversOf, type GraphqlContext, type RootResolvers } from "./resolvers.ts";
import { TypeBook } from "./type-book.ts";

type RootFields = GraphQLFieldConfigMap<unknown, GraphqlContext>;

function rootType(name: string, fields: RootFields): GraphQLObjectType | null {
  return Object.keys(fields).length === 0 ? null : new GraphQLObjectType({ name, fields });
}

const known = new WeakMap<Model, TypeBook>();

/** The types of a model: schemas of one contract differ in their resolvers only. */
function typesOf(model: Model): TypeBook {
  const types = known.get(model) ?? new TypeBook(model);
  known.set(model, types);
  return types;
}

export function contractSchema(model: Model, resolversFor: (root: RootField) => RootResolvers): GraphQLSchema {
  const types = typesOf(model);
  const fieldsOf = (kind: RootField["root"]): RootFields =>
    Object.fromEntries(
      model.roots
        .filter(({ root }) => root === kind)
        .map((root) => [
          root.name,
          {
            description: describe(root.operation.method, model),
            type: types.output(root.result),
            args: types.arguments(root),
            ...resolversFor(root),
          },
        ]),
    );
  const nothing = {
    nothing: { type: GraphQLBoolean, description: "The contract has no operation without side effects." },
  };
  return new GraphQLSchema({
    query: rootType("Query", fieldsOf("query")) ?? rootType("Query", nothing),
    mutation: rootType("Mutation", fieldsOf("mutation")),
    subscription: rootType("Subscription", fieldsOf("subscription")),
  });
}

export function serviceSchema(service: Service): GraphQLSchema {
  const model = graphqlModel(service.contract);
  const codecOf = codecsOf(model);
  return contractSchema(model, (root) => resolversOf(root, model, codecOf(root.operation.input).decode, service));
}
