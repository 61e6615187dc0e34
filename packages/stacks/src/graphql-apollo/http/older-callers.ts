// Callers that do not ask for GraphQL's own media type: browsers get a page for people, programs of the older kind their status.
import type { RequestHandler } from "express";
import { graphqlResponseType } from "./media-types.ts";

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

/**
 * A request that could be read is 200 for `application/json`, whatever GraphQL then says of it:
 * https://github.com/graphql/graphql-over-http/blob/main/spec/GraphQLOverHTTP.md#applicationjson
 * Costs a look at a header for those who ask for the newer type.
 * @param page answers a browser that opens the endpoint.
 * @param program goes on with everybody else; called here, because each handler of its own costs every call.
 */
export function olderCallers(page: RequestHandler, program: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const { accept } = request.headers;
    if (accept?.includes(graphqlResponseType) === true) {
      void program(request, response, next);
      return;
    }
    if (request.method === "GET" && accept?.includes("text/html") === true && !request.url.includes("?")) {
      void page(request, response, next);
      return;
    }
    const { send } = response;
    response.send = (body: unknown) => {
      if (response.statusCode === 400 && isOfGraphql(body)) response.statusCode = 200;
      return send.call(response, body);
    };
    void program(request, response, next);
  };
}
