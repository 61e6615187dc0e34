// A contract as an executable GraphQL schema: a root field for each operation, and their types.
import { type Contract, type Service, memoize } from "@roundtrip/contract";
import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLObjectType,
  GraphQLSchema,
  isIntrospectionType,
  isScalarType,
  isSpecifiedScalarType,
  printType,
} from "graphql";
import { describe } from "./describe.ts";
import { graphqlModel, type Model, type RootField } from "./model.ts";
import { type GraphqlContext, resolversOf, type RootResolvers } from "./resolvers.ts";
import { SchemaTypes } from "./types.ts";
import { codecsOf } from "../values/codec.ts";

type RootFields = GraphQLFieldConfigMap<unknown, GraphqlContext>;

function rootType(name: string, fields: RootFields): GraphQLObjectType | null {
  return Object.keys(fields).length === 0 ? null : new GraphQLObjectType({ name, fields });
}

/** The types of a model: schemas of one contract differ in their resolvers only. */
const typesOf = memoize((model: Model) => new SchemaTypes(model));

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
  const query = rootType("Query", fieldsOf("query")) ?? rootType("Query", nothing);
  const mutation = rootType("Mutation", fieldsOf("mutation"));
  const subscription = rootType("Subscription", fieldsOf("subscription"));
  const roots = [query, mutation, subscription].filter((type) => type !== null);
  // Where all types are listed, graphql-js does not recur from one to the next.
  return new GraphQLSchema({ query, mutation, subscription, types: types.usedBy(roots) });
}

export function serviceSchema(service: Service): GraphQLSchema {
  const model = graphqlModel(service.contract);
  const codecOf = codecsOf(model);
  return contractSchema(model, (root) => resolversOf(root, model, codecOf(root.operation.input).decode, service));
}

// Prints a contract in GraphQL's schema language.

const header = `# Made by Roundtrip from the contract's .proto files: change those, not this one.
# What a query selects is what the server reads: selection sets become read masks.
`;

/** The types of a contract's schema: root types, then others in order of use; and apart from them the scalars that are its own. */
export function schemaTypes(contract: Contract) {
  const schema = contractSchema(graphqlModel(contract), () => ({ resolve: () => undefined }));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    (type) => type !== null && type !== undefined,
  );
  const others = Object.values(schema.getTypeMap()).filter(
    (type) => !isSpecifiedScalarType(type) && !isIntrospectionType(type) && !roots.some((root) => root === type),
  );
  const scalars = others.filter((type) => isScalarType(type));
  return { types: [...roots, ...others.filter((type) => !isScalarType(type))], scalars };
}

export function sdlOf(contract: Contract): string {
  const { types, scalars } = schemaTypes(contract);
  return `${header}\n${[...types, ...scalars].map((type) => printType(type)).join("\n\n")}\n`;
}
