// The GraphQL server that a specialist would write for hello, customers and what belongs to them: a text schema and resolvers on Apollo Server, with a
// DataLoader and the options of the stack. It listens like the stack. Errors, which are not timed, use the code of the stack.
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
import { formatErrorOf, maxSelections, maxTokens } from "@roundtrip/styles/graphql/server";
import { serveHttp } from "@roundtrip/stacks/parts";
import type { Customer } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import type { InvoiceLine } from "@roundtrip/contract/gen/roundtrip/v1/invoice_pb";
import { buildSchema, type GraphQLFieldResolver, type GraphQLObjectType, type GraphQLSchema } from "graphql";
import type { IncomingMessage } from "node:http";
import { deadlineHeader, deadlineOf } from "@roundtrip/styles/http/server";
import { checkId, customerOf, deadlineExceeded, greetingOf } from "./customers.ts";
import { invoicesOf, type ProductLoader, productLoader } from "./linked.ts";
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
    invoices(pageSize: Int): InvoicePage
  }

  type InvoicePage {
    invoices: [Invoice!]!
  }

  type Invoice {
    id: Int!
    currency: String!
    lines: [InvoiceLine!]!
  }

  type InvoiceLine {
    productId: Int!
    quantity: Int!
    unitPrice: Int!
    product: Product
  }

  type Product {
    id: Int!
    name: String!
    price: Int!
    description: String!
  }
`;

/** What a library passes to resolvers. */
interface HandWrittenContext {
  readonly req: Pick<IncomingMessage, "headers">;
  /** Made for the first product of a document. */
  products?: ProductLoader;
}

/** Throws if the deadline has passed. */
function checkDeadline({ req: { headers } }: HandWrittenContext): void {
  const timeoutMs = deadlineOf(headers[deadlineHeader]);
  if (timeoutMs !== undefined && timeoutMs <= 0) throw deadlineExceeded();
}

type Resolver = GraphQLFieldResolver<never, HandWrittenContext, never>;

const queries: Readonly<Record<string, Resolver>> = {
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

/** By type. */
const resolvers: Readonly<Record<string, Readonly<Record<string, Resolver>>>> = {
  Query: queries,
  Customer: {
    invoices({ id }: Pick<Customer, "id">, { pageSize }: { readonly pageSize?: number }, context) {
      checkDeadline(context);
      return { invoices: invoicesOf(id, pageSize) };
    },
  },
  InvoiceLine: {
    product({ productId }: Pick<InvoiceLine, "productId">, _args, context) {
      return (context.products ??= productLoader()).load(productId);
    },
  },
};

function handWrittenSchema(): GraphQLSchema {
  const schema = buildSchema(typeDefs);
  for (const [type, fields] of Object.entries(resolvers)) {
    const known = (schema.getType(type) as GraphQLObjectType).getFields();
    for (const [name, resolve] of Object.entries(fields)) Object.assign(known[name] ?? {}, { resolve });
  }
  return schema;
}

export const serve: ServeHandWritten = async (options) => {
  const apollo = new ApolloServer<HandWrittenContext>({
    schema: handWrittenSchema(),
    formatError: formatErrorOf("roundtrip.dev"),
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
