// The GraphQL server that a specialist would write for hello and customers: a text schema and two resolvers on Apollo Server, with the options of the
// stack. It listens like the stack. Errors, which are not timed, use the code of the stack.
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
import { deadlineHeader, deadlineOf, serveHttp } from "@roundtrip/stacks/parts";
import { checkId, customerOf, deadlineExceeded, greetingOf } from "./customers.ts";
import type { ServeHandWritten } from "./hand-written.ts";

interface Context {
  readonly deadline: string | string[] | undefined;
}

const typeDefs = `#graphql
  type Query {
    sayHello(name: String!): SayHelloPayload
    customer(id: Int!): Customer
  }

  type SayHelloPayload {
    message: String!
  }

  type Customer {
    id: Int!
    name: String!
    address: String!
    vatIdentificationNumber: String!
    mail: String!
    phoneNumber: String!
  }
`;

/** Throws if the deadline has passed. */
function checkDeadline({ deadline }: Context): void {
  const timeoutMs = deadlineOf(deadline);
  if (timeoutMs !== undefined && timeoutMs <= 0) throw deadlineExceeded();
}

const resolvers = {
  Query: {
    sayHello(_source: unknown, { name }: { readonly name: string }, context: Context) {
      checkDeadline(context);
      return { message: greetingOf(name) };
    },
    // GraphQL sends only selected fields. With all data in memory, a read mask needs nothing else.
    customer(_source: unknown, { id }: { readonly id: number }, context: Context) {
      checkDeadline(context);
      checkId(id);
      return customerOf(id);
    },
  },
};

export const serve: ServeHandWritten = async (options) => {
  const apollo = new ApolloServer<Context>({
    typeDefs,
    resolvers,
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
      context: async ({ req }) => ({ deadline: req.headers[deadlineHeader] }),
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
