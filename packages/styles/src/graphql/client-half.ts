// GraphQL for its client bindings.
export { graphqlClient } from "./client/graphql-client.ts";
