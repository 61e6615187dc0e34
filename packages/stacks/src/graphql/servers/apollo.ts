// Serves a contract over GraphQL with Apollo Server and Express. Requests and statuses are the style's, because libraries word wrong requests
// differently (docs/decisions/0021-routes-of-our-own-on-express.md).
import { ApolloServer, HeaderMap } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import {
  documentRule,
  type GraphqlContext,
  type GraphqlParts,
  type GraphqlRequest,
  maxTokens,
  olderStatus,
} from "@roundtrip/styles/graphql/server";
import { onExpress } from "../../shared/servers/express.ts";
import { graphqlBy } from "../serve-graphql.ts";

async function startedApollo({ schema, format }: GraphqlParts): Promise<ApolloServer<GraphqlContext>> {
  const apollo = new ApolloServer<GraphqlContext>({
    schema,
    formatError: format,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens },
    validationRules: [documentRule],
    // Not needed: POST requires JSON, which other origins cannot send without a preflight. GET has no effect, and they cannot read its answer.
    csrfPrevention: false,
    plugins: [
      // Nothing is loaded from or sent to other hosts, whatever the environment sets.
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      // This plugin wraps every resolver to collect cache hints, which contracts do not have.
      ApolloServerPluginCacheControlDisabled(),
    ],
  });
  await apollo.start();
  return apollo;
}

type ApolloRequest = Parameters<ApolloServer["executeHTTPGraphQLRequest"]>[0]["httpGraphQLRequest"];

/** A request as Apollo Server reads it: GET has its parameters in the URL. */
function apolloRequest({ method, params, type }: GraphqlRequest): ApolloRequest {
  const headers = new HeaderMap([["accept", type]]);
  const { query, operationName, variables } = params;
  if (method === "POST") {
    const body = { query, operationName: operationName ?? null, variables: variables ?? null };
    return { method, headers, search: "", body };
  }
  const search = new URLSearchParams({ query });
  if (operationName !== undefined) search.set("operationName", operationName);
  if (variables !== undefined) search.set("variables", JSON.stringify(variables));
  return { method, headers, search: `?${search.toString()}`, body: undefined };
}

export const serve = graphqlBy(async (parts) => {
  const apollo = await startedApollo(parts);
  return {
    connect: onExpress,
    close: () => apollo.stop(),
    async answer(request) {
      const {
        status = 200,
        headers,
        body,
      } = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: apolloRequest(request),
        context: () => Promise.resolve(request.context),
      });
      // Incremental delivery, the other kind of body, is never asked for.
      const text = body.kind === "complete" ? body.string : "";
      return {
        status: request.audience === "older" ? olderStatus(status, text) : status,
        headers: { ...Object.fromEntries(headers), "content-length": Buffer.byteLength(text) },
        body: text,
        cut: undefined,
      };
    },
  };
});
