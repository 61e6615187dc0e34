// What GraphQL's answers are called over HTTP, beside application/json.

/** One result: who asks for it gets status codes that tell of GraphQL too. */
export const graphqlResponseType = "application/graphql-response+json";

/** A stream of results. */
export const eventStreamType = "text/event-stream";
