// Serves a contract over GraphQL with Apollo Server on Express.
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

/** What answers for a service. */
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
    // A POST is taken as JSON only, which no foreign page can send unasked; a GET changes nothing and says nothing to foreign pages.
    csrfPrevention: false,
    plugins: [
      // Nothing is loaded from elsewhere or sent there, whatever the environment says.
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      // It wraps every resolver to gather hints that a contract does not give.
      ApolloServerPluginCacheControlDisabled(),
    ],
  });
  await apollo.start();
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // Whatever the environment says: express shows stack traces in answers of its own otherwise.
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

/** Serves at `/graphql`; the address that it returns includes the path. */
export const serve: Serve = async (service, options) => {
  const first = await applicationOf(service, options);
  let { apollo } = first;
  const http = await serveHttp(first.app, options, httpFault);
  return {
    url: `${http.url}${graphqlPath}`,
    async replace(next) {
      const other = await applicationOf(next, options);
      http.replace(other.app);
      // The one before is not stopped: requests that it has may still be read. It holds nothing but memory.
      apollo = other.apollo;
    },
    async close() {
      await http.close();
      await apollo.stop();
    },
  };
};
