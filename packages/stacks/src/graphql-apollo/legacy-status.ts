// The older media type: whoever does not know application/graphql-response+json gets 200 for every request that could be read, whatever
// GraphQL then says of it. https://github.com/graphql/graphql-over-http/blob/main/spec/GraphQLOverHTTP.md#applicationjson
import type { RequestHandler } from "express";

const graphqlResponse = "application/graphql-response+json";

// Refusals of GraphQL, not of HTTP, by the reason that our errors give.
const wellFormed = new Set([
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "BAD_USER_INPUT",
  "OPERATION_RESOLUTION_FAILURE",
]);

interface Refusal {
  readonly errors?: readonly { readonly extensions?: { readonly reason?: unknown } }[];
}

function isOfGraphql(body: unknown): boolean {
  if (typeof body !== "string") return false;
  const { errors } = JSON.parse(body) as Refusal;
  const reason = errors?.[0]?.extensions?.reason;
  return typeof reason === "string" && wellFormed.has(reason);
}

/** Costs a look at a header for those who ask for the newer type. */
export const legacyStatus: RequestHandler = (request, response, next) => {
  if (request.headers.accept?.includes(graphqlResponse) !== true) {
    const { send } = response;
    response.send = (body: unknown) => {
      if (response.statusCode === 400 && isOfGraphql(body)) response.statusCode = 200;
      return send.call(response, body);
    };
  }
  next();
};
