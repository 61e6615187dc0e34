// What a specialist writes by hand for the GraphQL calls, whatever the server library: a text schema and two resolvers.
import { buildSchema, type GraphQLFieldResolver, type GraphQLSchema } from "graphql";
import type { IncomingMessage } from "node:http";
import { deadlineHeader, deadlineOf } from "@roundtrip/styles/http/server";
import { checkId, customerOf, deadlineExceeded, greetingOf } from "./customers.ts";

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
export interface HandWrittenContext {
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

/** Its resolvers take a {@link HandWrittenContext}. */
export function handWrittenSchema(): GraphQLSchema {
  const schema = buildSchema(typeDefs);
  const fields = schema.getQueryType()?.getFields();
  for (const [name, resolve] of Object.entries(resolvers)) Object.assign(fields?.[name] ?? {}, { resolve });
  return schema;
}
