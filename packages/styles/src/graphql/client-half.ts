// GraphQL for its client bindings.
export { graphqlClient, graphqlClientOn } from "./client/graphql-client.ts";
export { type GraphqlRequest, type GraphqlResponse, type GraphqlTransport } from "./client/graphql-transport.ts";
export { invalidResponse } from "./documents/response.ts";
