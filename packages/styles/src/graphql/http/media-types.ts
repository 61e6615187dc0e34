// What GraphQL's answers are called over HTTP, beside application/json.

/** One result. Its status codes report errors of GraphQL as well. */
export const graphqlResponseType = "application/graphql-response+json";

/** A stream of results. */
export const eventStreamType = "text/event-stream";
