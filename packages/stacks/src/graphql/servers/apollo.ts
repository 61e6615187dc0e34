// Serves a contract over GraphQL with Apollo Server and Express. Requests and statuses are the style's, because libraries word wrong requests
// differently (docs/decisions/0021-routes-of-our-own-on-express.md).
import { ApolloServer } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import { expressMiddleware } from "@as-integrations/express5";
import {
  documentRule,
  type GraphqlContext,
  httpContextOf,
  maxTokens,
  olderStatus,
  withoutEmptyParams,
} from "@roundtrip/styles/graphql/server";
import express, { type Request, type Response } from "express";
import { expressBytes } from "../../shared/express-bytes.ts";
import { graphqlListener, type GraphqlParts } from "../graphql-listener.ts";
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

/** Makes Express send the status that older clients expect. */
function sendOlderStatus(response: Response): void {
  const { send } = response;
  response.send = (body: unknown) => {
    response.statusCode = olderStatus(response.statusCode, body);
    return send.call(response, body);
  };
}

export const serve = graphqlBy(async (parts, { maxMessageBytes }) => {
  const apollo = await startedApollo(parts);
  const program = expressMiddleware(apollo, {
    // oxlint-disable-next-line require-await
    context: async ({ req, res }) => ({ http: httpContextOf(req, res) }),
  });
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // Overrides NODE_ENV: otherwise express includes stack traces in its own error answers.
  app.set("env", "production");
  const listener = await graphqlListener(parts, {
    read: expressBytes(maxMessageBytes),
    answer({ request, response, audience, fail }) {
      // Express has made them its own.
      const answered = response as Response;
      if (audience === "older") sendOlderStatus(answered);
      // Apollo would refuse an empty parameter, and null.
      request.url = withoutEmptyParams(request.url);
      // Called directly, because each further handler of Express costs time per call.
      void program(request as Request, answered, fail);
    },
  });
  return { listener: app.use(listener), close: () => apollo.stop() };
});
