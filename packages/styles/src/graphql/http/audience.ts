// Who calls the endpoint, by the Accept header: browsers get a page for people, programs of the older kind their status.
import type { IncomingMessage } from "node:http";
import { graphqlResponseType } from "./media-types.ts";

/** `newer` asks for GraphQL's own media type, `older` does not, and `people` open the endpoint in a browser. */
export type Audience = "newer" | "older" | "people";

/** Costs a look at a header for those who ask for the newer type. */
export function audienceOf({ method, url, headers: { accept } }: IncomingMessage): Audience {
  if (accept?.includes(graphqlResponseType) === true) return "newer";
  const isOpened = method === "GET" && accept?.includes("text/html") === true && url?.includes("?") !== true;
  return isOpened ? "people" : "older";
}

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
 * The status that an older program gets: a request that could be read is 200 for `application/json`, whatever GraphQL then says of it.
 * https://github.com/graphql/graphql-over-http/blob/main/spec/GraphQLOverHTTP.md#applicationjson
 */
export function olderStatus(status: number, body: unknown): number {
  return status === 400 && isOfGraphql(body) ? 200 : status;
}
