// Where GraphQL lives on a server.

export const graphqlPath = "/graphql";
