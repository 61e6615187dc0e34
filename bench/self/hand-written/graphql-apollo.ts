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
import { formatError, maxSelections, maxTokens } from "@roundtrip/styles/graphql/server";
import { serveHttp } from "@roundtrip/stacks/parts";
import { buildSchema, type GraphQLFieldResolver, type GraphQLSchema } from "graphql";
import type { IncomingMessage } from "node:http";
import { deadlineHeader, deadlineOf } from "@roundtrip/styles/http/server";
import { checkId, customerOf, deadlineExceeded, greetingOf } from "./customers.ts";
import type { ServeHandWritten } from "./serve.ts";

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

/** What a library passes to resolvers. */
interface HandWrittenContext {
  readonly req: Pick<IncomingMessage, "headers">;
}

/** Throws if the deadline has passed. */
function checkDeadline({ req: { headers } }: HandWrittenContext): void {
  const timeoutMs = deadlineOf(headers[deadlineHeader]);
  if (timeoutMs !== undefined && timeoutMs <= 0) throw deadlineExceeded();
}

const resolvers: Readonly<Record<string, GraphQLFieldResolver<unknown, HandWrittenContext>>> = {
  sayHello(_source, { name }: { readonly name?: string }, context) {
    checkDeadline(context);
    return { message: greetingOf(name ?? "") };
  },
  // GraphQL sends only selected fields. With all data in memory, a read mask needs nothing else.
  customer(_source, { id }: { readonly id?: number }, context) {
    checkDeadline(context);
    checkId(id ?? 0);
    return customerOf(id ?? 0);
  },
};

function handWrittenSchema(): GraphQLSchema {
  const schema = buildSchema(typeDefs);
  const fields = schema.getQueryType()?.getFields();
  for (const [name, resolve] of Object.entries(resolvers)) Object.assign(fields?.[name] ?? {}, { resolve });
  return schema;
}

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
