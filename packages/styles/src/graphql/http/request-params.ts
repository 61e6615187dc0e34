// The parameters of a GraphQL request over HTTP, for servers whose library would answer invalid ones in its own way.
// https://github.com/graphql/graphql-over-http/blob/main/spec/GraphQLOverHTTP.md#request
import type { IncomingMessage } from "node:http";
import { jsonMediaType } from "../../shared/http/json-body.ts";
import { refusal } from "./refusal.ts";

export interface RequestParams {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown> | undefined;
}

interface ReadRequest extends Pick<IncomingMessage, "method" | "url" | "headers"> {
  /** Parsed JSON; undefined without a body. */
  readonly body?: unknown;
}

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
  if (query === undefined || query === "") throw refusal("the request has no query");
  return { query, operationName, variables };
}

function parsedParameter(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(`the query parameter ${name} is not JSON`);
  }
}

/** The parameters of a GET request. An empty one counts as absent. Throws for a parameter that is given twice. */
function paramsInUrl({ url = "", headers }: ReadRequest): RequestParams {
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

const emptyParameter = /^(?:operationName=?|(?:variables|extensions)(?:=|=null)?)$/;

/** A request target without its parameters that count as absent, empty or null, for a library that would refuse them. */
export function withoutEmptyParams(url: string): string {
  const [path = "", ...query] = url.split("?");
  if (query.length === 0) return url;
  const given = query.join("?").split("&");
  return `${path}?${given.filter((parameter) => !emptyParameter.test(parameter)).join("&")}`;
}

/** Reads the parameters of a request. Throws an HttpError for an invalid one. */
export function paramsOf(request: ReadRequest): RequestParams {
  const { method, body } = request;
  if (method === "GET") return paramsInUrl(request);
  if (method !== "POST")
    throw refusal("only GET and POST are supported", { status: 405, headers: { allow: "GET, POST" } });
  if (isRecord(body)) return paramsIn(body);
  throw Array.isArray(body) ? refusal("batches are not supported") : refusal("the body is no JSON object with a query");
}
