// A contract as an executable GraphQL schema: a root field for each operation, and their types.
import { type Contract, hasSourceInfo, type Service, memoize } from "@roundtrip/contract";
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
import { documented } from "./describe.ts";
import { type EdgesOf, edgesOf, withoutEdges } from "../edges/edges.ts";
import { graphqlModel, type RootField } from "./model.ts";
import { type GraphqlContext, resolversOf, type RootResolvers } from "./resolvers.ts";
import { SchemaTypes } from "./types.ts";
import { codecsOf } from "../values/codec.ts";

type RootFields = GraphQLFieldConfigMap<unknown, GraphqlContext>;

function rootType(name: string, fields: RootFields): GraphQLObjectType | null {
  return Object.keys(fields).length === 0 ? null : new GraphQLObjectType({ name, fields });
}

/** The types of a contract, with or without edges: its schemas differ in the resolvers of root fields only. */
const typesOf = memoize((edges: EdgesOf) => new SchemaTypes(edges, false));
const typesWithRulesOf = memoize((edges: EdgesOf) => new SchemaTypes(edges, true));

/** Nobody reads the schema of a measured server, whose contract has no comments: it does not load the vocabulary of rules. */
function isRead({ operations }: Contract): boolean {
  return operations.some(({ method }) => hasSourceInfo(method.parent.file));
}

/** @param hasRules whether descriptions have the contract's rules */
export function contractSchema(
  edges: EdgesOf,
  resolversFor: (root: RootField) => RootResolvers,
  hasRules = isRead(edges.model.contract),
): GraphQLSchema {
  const { model } = edges;
  const types = (hasRules ? typesWithRulesOf : typesOf)(edges);
  const fieldsOf = (kind: RootField["root"]): RootFields =>
    Object.fromEntries(
      model.roots
        .filter(({ root }) => root === kind)
        .map((root) => [
          root.name,
          {
            ...documented(root.operation.method, model),
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

export function serviceSchema(service: Service, hasEdges: boolean): GraphQLSchema {
  const model = graphqlModel(service.contract);
  const codecOf = codecsOf(model);
  return contractSchema((hasEdges ? edgesOf : withoutEdges)(model), (root) =>
    resolversOf(root, model, codecOf(root.operation.input).decode, service),
  );
}

// Prints a contract in GraphQL's schema language.

const header = `# Made by Roundtrip from the contract's .proto files: change those, not this one.
# What a query selects is what the server reads: selection sets become read masks.
`;

/** The types of a schema: root types, then others in order of use; and apart from them the scalars that are its own. */
function typesIn(schema: GraphQLSchema) {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
    (type) => type !== null && type !== undefined,
  );
  const others = Object.values(schema.getTypeMap()).filter(
    (type) => !isSpecifiedScalarType(type) && !isIntrospectionType(type) && !roots.some((root) => root === type),
  );
  const scalars = others.filter((type) => isScalarType(type));
  return { types: [...roots, ...others.filter((type) => !isScalarType(type))], scalars };
}

/** The types of a contract's schema, with its edges. */
export function schemaTypes(contract: Contract): ReturnType<typeof typesIn> {
  return typesIn(contractSchema(edgesOf(graphqlModel(contract)), () => ({ resolve: () => undefined }), true));
}

export function sdlOf(contract: Contract): string {
  return sdlOfTypes(schemaTypes(contract));
}

export function sdlOfSchema(schema: GraphQLSchema): string {
  return sdlOfTypes(typesIn(schema));
}

function sdlOfTypes({ types, scalars }: ReturnType<typeof typesIn>): string {
  return `${header}\n${[...types, ...scalars].map((type) => printType(type)).join("\n\n")}\n`;
}
