// Selects the kind of answer by the Accept header: a page for browsers, and for older clients other status codes.
import type { IncomingMessage } from "node:http";
import { graphqlResponseType } from "./media-types.ts";

/** `newer` accepts GraphQL's own media type, `older` does not, `people` open the endpoint in a browser. */
export type Audience = "newer" | "older" | "people";

/** Clients that accept the newer type cost only one header check. */
export function audienceOf({ method, url, headers: { accept } }: IncomingMessage): Audience {
  if (accept?.includes(graphqlResponseType) === true) return "newer";
  const isOpened = method === "GET" && accept?.includes("text/html") === true && url?.includes("?") !== true;
  return isOpened ? "people" : "older";
}

// Errors of GraphQL rather than HTTP, by their reason.
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
 * The status for older clients: with `application/json`, any request that could be parsed has 200, even if GraphQL refuses it.
 * https://github.com/graphql/graphql-over-http/blob/main/spec/GraphQLOverHTTP.md#applicationjson
 */
export function olderStatus(status: number, body: unknown): number {
  return status === 400 && isOfGraphql(body) ? 200 : status;
}
