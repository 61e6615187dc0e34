// What tests use of Apollo Client, without its types: they declare a global Window, which those of other tests' libraries take for a browser's.
import type { Client } from "graphql-ws";
import type { Observable } from "rxjs";

type Made<Options> = new (options: Options) => object;

interface Apollo {
  readonly ApolloClient: new (options: { readonly link: object; readonly cache: object }) => ApolloClient;
  readonly gql: (document: string) => object;
  readonly HttpLink: Made<{ readonly uri: string }>;
  readonly InMemoryCache: new () => object;
}

export interface ApolloClient {
  subscribe(options: { readonly query: object; readonly variables: object }): Observable<unknown>;
  stop(): void;
}

const library: string = "@apollo/client";
const links: string = "@apollo/client/link/subscriptions";

export const apollo = (await import(library)) as Apollo;
export const { GraphQLWsLink } = (await import(links)) as { readonly GraphQLWsLink: Made<Client> };
