// Serves a contract over GraphQL with graphql-http and node:http. Requests and statuses are the style's, because libraries word wrong requests
// differently (docs/decisions/0021-routes-of-our-own-on-express.md).
import {
  askedOperation,
  documentStore,
  type GraphqlContext,
  type GraphqlParts,
  graphqlPath,
  type GraphqlRequest,
  refusedAnswer,
  sentError,
} from "@roundtrip/styles/graphql/server";
import { execute, type GraphQLError, OperationTypeNode } from "graphql";
import { createHandler, type HandlerOptions, type Response } from "graphql-http";
import { graphqlBy, type GraphqlLibrary } from "../serve-graphql.ts";

type Options = HandlerOptions<undefined, GraphqlRequest, Pick<GraphqlContext, keyof GraphqlContext>>;

/** Answers with the errors of a document or of variables; graphql-http would report those of variables with status 200. */
function refusal(errors: readonly Error[], request: GraphqlRequest, format: GraphqlParts["format"]): Response {
  const { status, headers, body } = refusedAnswer(errors, format, request);
  return [body as string, { status, statusText: "", headers: headers as Record<string, string> }];
}

/** Finds the document and its operation. graphql-http has no cache for either, and its users add one here. */
function preparation({ schema, format }: GraphqlParts): NonNullable<Options["onSubscribe"]> {
  const documentOf = documentStore(schema);
  return ({ context: request, method }) => {
    const { query, operationName, variables } = request.params;
    const checked = documentOf(query);
    if ("errors" in checked) return refusal(checked.errors, request, format);
    const { document } = checked;
    const contextValue = request.context;
    const args = { schema, document, operationName, variableValues: variables, contextValue };
    const found = askedOperation(schema, document, { operationName, method });
    if ("errors" in found) return refusal(found.errors, request, format);
    // graphql-http refuses subscriptions. Executed like a query, each says how it is read.
    return found.operation.operation === OperationTypeNode.SUBSCRIPTION ? execute(args) : args;
  };
}

export function graphqlHttp(parts: GraphqlParts): GraphqlLibrary {
  const { format } = parts;
  const handle = createHandler<undefined, GraphqlRequest, Pick<GraphqlContext, keyof GraphqlContext>>({
    parseRequestParams: ({ context }) => ({ ...context.params }),
    onSubscribe: preparation(parts),
    onOperation({ context }, _args, result) {
      const { data, errors = [] } = result;
      return data === undefined ? refusal(errors, context, format) : undefined;
    },
    // Serialised like an error of GraphQL.
    formatError: (error) => sentError(error, format) as unknown as GraphQLError,
  });
  return {
    async answer(request) {
      const { method, type } = request;
      const headers = { accept: type };
      const asked = { method, url: graphqlPath, headers, body: null, raw: undefined, context: request };
      const [body, init] = await handle(asked);
      const text = body ?? "";
      const length = { "content-length": Buffer.byteLength(text) };
      return { status: init.status, headers: { ...init.headers, ...length }, body: text, cut: undefined };
    },
  };
}

export const serve = graphqlBy(graphqlHttp);
