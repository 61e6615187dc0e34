// The path of the GraphQL endpoint, and its media types.

// The path of the GraphQL endpoint.

export const graphqlPath = "/graphql";

// The media types of GraphQL answers beside application/json.

/** One result. Its status codes report GraphQL errors too. */
export const graphqlResponseType = "application/graphql-response+json";

export const eventStreamType = "text/event-stream";
