// The GraphQL server that a specialist would write for hello and customers on Apollo Server, with the options of the stack. It listens like the stack. Errors, which are not timed, use the code of the stack.
import { ApolloServer } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import { expressMiddleware } from "@as-integrations/express5";
import express from "express";
import { formatError, maxSelections, maxTokens } from "@roundtrip/styles/graphql/parts";
import { serveHttp } from "@roundtrip/stacks/parts";
import { type HandWrittenContext, handWrittenSchema } from "./graphql-calls.ts";
import type { ServeHandWritten } from "./hand-written.ts";

export const serve: ServeHandWritten = async (options) => {
  const apollo = new ApolloServer<HandWrittenContext>({
    schema: handWrittenSchema(),
    formatError,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens },
    maxRecursiveSelections: maxSelections,
    csrfPrevention: false,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginCacheControlDisabled(),
    ],
  });
  await apollo.start();
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(
    "/graphql",
    express.json({ limit: options.maxMessageBytes }),
    expressMiddleware(apollo, {
      // oxlint-disable-next-line require-await
      context: async ({ req }) => ({ req }),
    }),
  );
  const http = await serveHttp(app, options);
  return {
    url: `${http.url}/graphql`,
    async close() {
      await http.close();
      await apollo.stop();
    },
  };
};
