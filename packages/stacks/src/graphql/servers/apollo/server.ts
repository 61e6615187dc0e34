// Serves a contract over GraphQL with Apollo Server and Express.
import { ApolloServer } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import { expressMiddleware } from "@as-integrations/express5";
import type { Service } from "@roundtrip/contract";
import express from "express";
import { serveHttp } from "../../../shared/node-server/http-server.ts";
import type { Serve, ServeOptions } from "../../../basics/stack.ts";
import {
  documentRule,
  errorFormat,
  type GraphqlContext,
  graphqlPath,
  httpContextOf,
  httpFault,
  maxTokens,
  serviceSchema,
} from "@roundtrip/styles/graphql/server";
import { byAudience, eventStreams, nothingHere, onRefusal, requestReader } from "./express-handlers.ts";

interface Application {
  readonly app: express.Express;
  readonly apollo: ApolloServer<GraphqlContext>;
}

async function applicationOf(service: Service, options: ServeOptions): Promise<Application> {
  const schema = serviceSchema(service);
  const format = errorFormat(service);
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
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // Overrides NODE_ENV: otherwise express includes stack traces in its own error answers.
  app.set("env", "production");
  app.use(
    graphqlPath,
    byAudience(service, requestReader(service, options.maxMessageBytes)),
    ...(await eventStreams(schema, format)),
    expressMiddleware(apollo, {
      // oxlint-disable-next-line require-await
      context: async ({ req, res }) => ({ http: httpContextOf(req, res) }),
    }),
  );
  app.use(nothingHere, onRefusal);
  return { app, apollo };
}

/** Serves at `/graphql`. The returned address includes this path. */
export const serve: Serve = async (service, options) => {
  const first = await applicationOf(service, options);
  let { apollo } = first;
  const http = await serveHttp(first.app, options, httpFault);
  return {
    url: `${http.url}${graphqlPath}`,
    async replace(next) {
      const other = await applicationOf(next, options);
      http.replace(other.app);
      // The old server keeps running, because its requests may still be read. It only occupies memory.
      apollo = other.apollo;
    },
    async close() {
      await http.close();
      await apollo.stop();
    },
  };
};
