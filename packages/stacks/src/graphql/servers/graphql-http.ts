// Serves a contract over GraphQL with graphql-http and node:http. Requests and statuses are the style's, because libraries word wrong requests
// differently (docs/decisions/0021-routes-of-our-own-on-express.md).
import {
  answerTypeFor,
  askedOperation,
  documentStore,
  type GraphqlContext,
  httpContextOf,
  paramsOf,
  refusedAnswer,
  type RequestParams,
  sentError,
} from "@roundtrip/styles/graphql/server";
import { execute, type GraphQLError, OperationTypeNode } from "graphql";
import { createHandler, type HandlerOptions, type Response } from "graphql-http";
import { decodedBytes } from "../../shared/node-server/request-body.ts";
import { type GraphqlExchange, graphqlListener, type GraphqlParts, writeAnswer } from "../graphql-listener.ts";
import { graphqlBy } from "../serve-graphql.ts";

/** A request as this server passes it to graphql-http. */
interface Asked {
  readonly exchange: GraphqlExchange;
  readonly params: RequestParams;
  readonly type: ReturnType<typeof answerTypeFor>;
}

type Options = HandlerOptions<undefined, Asked, Pick<GraphqlContext, "http">>;

/** Answers with the errors of a document or of variables; graphql-http would report those of variables with status 200. */
function refusal(errors: readonly Error[], { exchange, type }: Asked, format: GraphqlParts["format"]): Response {
  const { status, headers, body } = refusedAnswer(errors, format, { type, audience: exchange.audience });
  return [body as string, { status, statusText: "", headers: headers as Record<string, string> }];
}

/** Finds the document and its operation. graphql-http has no cache for either, and its users add one here. */
function preparation({ schema, format }: GraphqlParts): NonNullable<Options["onSubscribe"]> {
  const documentOf = documentStore(schema);
  return ({ context: asked, method }) => {
    const { query, operationName, variables } = asked.params;
    const checked = documentOf(query);
    if ("errors" in checked) return refusal(checked.errors, asked, format);
    const { document } = checked;
    const { request, response } = asked.exchange;
    const contextValue = { http: httpContextOf(request, response) };
    const args = { schema, document, operationName, variableValues: variables, contextValue };
    const found = askedOperation(schema, document, { operationName, method });
    if ("errors" in found) return refusal(found.errors, asked, format);
    // graphql-http refuses subscriptions. Executed like a query, each says how it is read.
    return found.operation.operation === OperationTypeNode.SUBSCRIPTION ? execute(args) : args;
  };
}

function handlerOf(parts: GraphqlParts): ReturnType<typeof createHandler<undefined, Asked>> {
  const { format } = parts;
  return createHandler<undefined, Asked, Pick<GraphqlContext, "http">>({
    parseRequestParams: ({ context }) => ({ ...context.params }),
    onSubscribe: preparation(parts),
    onOperation({ context }, _args, result) {
      const { data, errors = [] } = result;
      return data === undefined ? refusal(errors, context, format) : undefined;
    },
    // Serialised like an error of GraphQL.
    formatError: (error) => sentError(error, format) as unknown as GraphQLError,
  });
}

export const serve = graphqlBy(async (parts, { maxMessageBytes }) => {
  const handle = handlerOf(parts);
  const ask = async (exchange: GraphqlExchange): Promise<void> => {
    const { request, response } = exchange;
    const { method, url } = request;
    const type = answerTypeFor(request.headers.accept);
    const context = { exchange, params: paramsOf(request), type };
    const [body, { status, headers = {} }] = await handle({
      method,
      url,
      headers: { accept: type },
      body: null,
      raw: undefined,
      context,
    });
    const text = body ?? "";
    writeAnswer({ status, headers: { ...headers, "content-length": Buffer.byteLength(text) }, body: text }, response);
  };
  const listener = await graphqlListener(parts, {
    read: decodedBytes(maxMessageBytes),
    answer: (exchange) => void ask(exchange).catch(exchange.fail),
  });
  return { listener, close: () => Promise.resolve() };
});
