// Limits the schema to callers whom the service's interceptors accept: introspection and the page show what the service can do.
import type { Service } from "@roundtrip/contract";
import type { IncomingMessage, ServerResponse } from "node:http";
import { formatError, type FormatError } from "../errors.ts";
import { HttpContext } from "./http-context.ts";

const checked = new WeakMap<ServerResponse, HttpContext>();

/** The context of a request. The access check and the resolvers share it, so that both are one exchange. */
export function httpContextOf(request: IncomingMessage, response: ServerResponse): HttpContext {
  return checked.get(response) ?? new HttpContext(request, response);
}

/** The introspection fields, without `__typename`, which answers use too. */
const introspection = /__(?:schema|type)(?!\w)/;

interface ReadRequest extends Pick<IncomingMessage, "method" | "url"> {
  /** JSON; undefined without a body. */
  readonly body?: unknown;
}

function queriesOf({ method, url = "", body }: ReadRequest): readonly unknown[] {
  if (method === "POST") return [(body as { readonly query?: unknown } | undefined)?.query];
  return new URLSearchParams(url.slice(url.indexOf("?") + 1)).getAll("query");
}

/** Whether a request may ask for the schema, by a text search: the names have no other spelling. Checking too many documents does no harm. */
export function asksForSchema(request: ReadRequest): boolean {
  return queriesOf(request).some((query) => typeof query === "string" && introspection.test(query));
}

/** graphql-js suggests names of the schema for unknown names. */
const proposal = / Did you mean [^?]+\?$/;

/** The error format: if interceptors protect the schema, without suggestions of its names. */
export function errorFormat(service: Service): FormatError {
  const isOpen = service.guard(service) === service;
  if (isOpen) return formatError;
  return (formatted, error) => {
    const sent = formatError(formatted, error);
    return { ...sent, message: sent.message.replace(proposal, "") };
  };
}

/** Resolves if the caller may read the schema; rejects with the interceptors' error otherwise. */
export async function checkMayReadSchema(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const http = new HttpContext(request, response);
  checked.set(response, http);
  const { checkMayDescribe } = await import("../../shared/description-guard.ts");
  await http.answerCall((call) => checkMayDescribe(service, call));
}
