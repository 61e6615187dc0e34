// A contract as an executable GraphQL schema: resolvers turn arguments into a request, call the service and hand out its message.
import { create, type Message } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { CallError, type Service } from "@roundtrip/contract";
import {
  GraphQLBoolean,
  GraphQLObjectType,
  GraphQLSchema,
  type GraphQLFieldConfigMap,
  type GraphQLFieldResolver,
} from "graphql";
import { codecsOf, type Codec, type JsonFields } from "./codec.ts";
import { fieldPaths } from "../field-paths.ts";
import { describe } from "./describe.ts";
import { fieldName } from "./field-name.ts";
import type { HttpContext } from "./http-context.ts";
import { graphqlModel, type Model, type RootField } from "./model.ts";
import { readMaskReader } from "./read-mask.ts";
import { TypeBook } from "./type-book.ts";

/** What Apollo hands to every resolver. */
export interface GraphqlContext {
  readonly http: HttpContext;
}

type Resolve = GraphQLFieldResolver<unknown, GraphqlContext, Record<string, unknown>>;

function resolverOf(root: RootField, model: Model, decode: Codec["decode"], service: Service): Resolve {
  const { operation, isEmpty } = root;
  const requestOf =
    root.root === "query" ? decode : (args: JsonFields) => decode((args["input"] ?? {}) as Record<string, unknown>);
  const readRequest = (args: JsonFields): Message => {
    try {
      return requestOf(args);
    } catch (thrown) {
      throw new CallError("INVALID_ARGUMENT", (thrown as Error).message, {}, { cause: thrown });
    }
  };
  const mask = operation.readMask?.localName;
  const readMaskOf = readMaskReader(model, operation.output);
  const answerOf = (message: Message): unknown => (isEmpty ? true : message);
  const fields = fieldPaths(operation.input, fieldName);
  const fail = (thrown: unknown): never => {
    throw fields.spelled(CallError.from(thrown));
  };
  const call = (http: HttpContext, request: Message): Message | Promise<Message> => {
    try {
      return http.answerCall((one) => service.call(operation, request, one));
    } catch (thrown) {
      return fail(thrown);
    }
  };
  return (_source, args, { http }, info) => {
    const request = readRequest(args);
    if (mask !== undefined) {
      const paths = readMaskOf(info);
      if (paths.length > 0) {
        (request as unknown as Record<string, unknown>)[mask] = create(FieldMaskSchema, { paths: [...paths] });
      }
    }
    const answer = call(http, request);
    return answer instanceof Promise ? answer.then(answerOf, fail) : answerOf(answer);
  };
}

/** The schema of a contract, with the resolver that `resolve` gives each root field. */
export function contractSchema(model: Model, resolve: (root: RootField) => Resolve): GraphQLSchema {
  const types = new TypeBook(model);
  const fieldsOf = (kind: RootField["root"]): GraphQLFieldConfigMap<unknown, GraphqlContext> =>
    Object.fromEntries(
      model.roots
        .filter(({ root }) => root === kind)
        .map((root) => [
          root.name,
          {
            description: describe(root.operation.method, model),
            type: types.output(root.result),
            args: types.arguments(root),
            resolve: resolve(root),
          },
        ]),
    );
  const queries = fieldsOf("query");
  const mutations = fieldsOf("mutation");
  const nothing = {
    nothing: { type: GraphQLBoolean, description: "The contract has no operation without side effects." },
  };
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: "Query", fields: Object.keys(queries).length === 0 ? nothing : queries }),
    mutation:
      Object.keys(mutations).length === 0 ? null : new GraphQLObjectType({ name: "Mutation", fields: mutations }),
  });
}

/** The schema of a service's contract, bound to the service. */
export function serviceSchema(service: Service): GraphQLSchema {
  const model = graphqlModel(service.contract);
  const codecOf = codecsOf(model);
  return contractSchema(model, (root) => resolverOf(root, model, codecOf(root.operation.input).decode, service));
}
