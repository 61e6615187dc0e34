// GraphQL, as its client bindings use it.
export { graphqlClient } from "./client/graphql-client.ts";
