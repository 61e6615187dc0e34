// GraphQL over HTTP: who asks, the type of the answer, and the parameters of a request.
import { jsonMediaType } from "../shared/call-headers.ts";
import { CallError, type CanonicalCode } from "@roundtrip/contract";
import Negotiator from "negotiator";
import { graphqlResponseType, sdlPath } from "./index.ts";
import type { RefusalReason } from "./errors.ts";
import { checkJson, HttpError, type ReceivedRequest } from "../shared/http/http-service.ts";
import { graphqlWeights } from "../shared/proto-json/json-limits.ts";

// The media type of an answer, by the Accept header.

const offered = [jsonMediaType, graphqlResponseType] as const;

export type AnswerType = (typeof offered)[number];

/** The type that the caller prefers. Throws 406 if it accepts none. Looks no further if GraphQL's own type comes first. */
export function answerTypeFor(accept: string | undefined): AnswerType {
  if (accept === undefined || accept === "" || accept === "*/*") return jsonMediaType;
  if (accept.startsWith(`${graphqlResponseType},`) || accept === graphqlResponseType) return graphqlResponseType;
  const [found] = new Negotiator({ headers: { accept } }).mediaTypes([...offered]);
  const type = offered.find((one) => one === found);
  if (type !== undefined) return type;
  throw refusal(`the answer is ${offered.join(" or ")}, not ${accept}`, { status: 406 });
}

// Selects the kind of answer by the Accept header: a page for browsers, and for older clients other status codes.

/** `newer` accepts GraphQL's own media type, `older` does not, `people` open the endpoint in a browser. */
export type Audience = "newer" | "older" | "people";

/** Clients that accept the newer type cost only one header check. */
export function audienceOf({ method, url, headers: { accept } }: ReceivedRequest): Audience {
  if (accept?.includes(graphqlResponseType) === true) return "newer";
  const isOpened = method === "GET" && accept?.includes("text/html") === true && !url.includes("?");
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

export function acceptsParts(accept: string | undefined): boolean {
  return accept !== undefined && /multipart\/mixed[^,]*;\s*subscriptionSpec=/i.test(accept);
}

// Refusals of requests that are no GraphQL requests, in every server whose library does not write them itself.

interface Answer {
  readonly status?: number;
  readonly code?: CanonicalCode;
  readonly reason?: RefusalReason;
  readonly headers?: Readonly<Record<string, string>>;
}

function refusal(message: string, answer: Answer = {}): HttpError {
  const { status = 400, code = "INVALID_ARGUMENT", reason = "BAD_REQUEST", headers } = answer;
  return new HttpError(status, new CallError(code, message, { reason }), headers);
}

/** The answer to a document that GET may not execute. */
export function onlyByPost(operation: string): HttpError {
  return refusal(`GET only supports queries, not a ${operation}`, { status: 405, headers: { allow: "POST" } });
}

// The parameters of a GraphQL request over HTTP, for servers whose library would answer invalid ones in its own way.
// https://github.com/graphql/graphql-over-http/blob/main/spec/GraphQLOverHTTP.md#request

export interface RequestParams {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown> | undefined;
}

type Asking = Pick<ReceivedRequest, "method" | "url" | "headers">;
type Json = Record<string, unknown>;

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object of the request; undefined for null or a missing one. */
function recordIn(given: Json, name: "variables" | "extensions"): Json | undefined {
  const value = given[name] ?? undefined;
  if (value === undefined || isRecord(value)) return value;
  throw refusal(`${name} must be an object`);
}

function textIn(given: Json, name: "query" | "operationName"): string | undefined {
  const value = given[name] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw refusal(`${name} must be a string`);
}

function paramsIn(given: Json): RequestParams {
  const query = textIn(given, "query");
  const operationName = textIn(given, "operationName");
  const variables = recordIn(given, "variables");
  if (recordIn(given, "extensions")?.["persistedQuery"] !== undefined) {
    throw refusal("PersistedQueryNotSupported", {
      status: 200,
      code: "UNIMPLEMENTED",
      reason: "PERSISTED_QUERY_NOT_SUPPORTED",
      headers: { "cache-control": "private, no-cache, must-revalidate" },
    });
  }
  if (query === undefined || query === "") throw refusal(`the request has no query; the schema is at ${sdlPath}`);
  return { query, operationName, variables };
}

function parsedParameter(text: string, name: string): unknown {
  checkJson(Buffer.from(text), graphqlWeights);
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(`the query parameter ${name} is not JSON`);
  }
}

/** The parameters of a GET request. An empty one counts as absent. Throws for a parameter that is given twice. */
function paramsInUrl({ url, headers }: Asking): RequestParams {
  const type = headers["content-type"];
  if (type !== undefined && type.split(";", 1)[0]?.trim().toLowerCase() !== jsonMediaType) {
    throw refusal(`a GET request has no body of type ${type}`, { status: 415 });
  }
  const mark = url.indexOf("?");
  const given: Json = {};
  for (const [name, text] of new URLSearchParams(mark === -1 ? "" : url.slice(mark))) {
    const isObject = name === "variables" || name === "extensions";
    if (!isObject && name !== "query" && name !== "operationName") continue;
    if (Object.hasOwn(given, name)) throw refusal(`the query parameter ${name} is given more than once`);
    given[name] = text === "" ? undefined : isObject ? parsedParameter(text, name) : text;
  }
  return paramsIn(given);
}

/** Reads the parameters of a request. Throws an HttpError for an invalid one. @param body parsed JSON; undefined without one */
export function paramsOf(request: Asking, body: unknown): RequestParams {
  const { method } = request;
  if (method === "GET") return paramsInUrl(request);
  if (method !== "POST")
    throw refusal("only GET and POST are supported", { status: 405, headers: { allow: "GET, OPTIONS, POST" } });
  if (isRecord(body)) return paramsIn(body);
  throw Array.isArray(body) ? refusal("batches are not supported") : refusal("the body is no JSON object with a query");
}
