// Who may read the schema: whom the service's interceptors let through. Introspection and the page for people show what the service can do.
import type { Service } from "@roundtrip/contract";
import type { IncomingMessage, ServerResponse } from "node:http";
import { formatError, type FormatError } from "../errors.ts";
import { HttpContext } from "./http-context.ts";

const checked = new WeakMap<ServerResponse, HttpContext>();

/** The context of a request, the same for the check of access and for resolvers, so that both are one exchange. */
export function httpContextOf(request: IncomingMessage, response: ServerResponse): HttpContext {
  return checked.get(response) ?? new HttpContext(request, response);
}

/** Fields of the schema; `__typename` is a field of answers. */
const introspection = /__(?:schema|type)(?!\w)/;

/** A request whose body has been read. */
interface ReadRequest extends Pick<IncomingMessage, "method" | "url"> {
  /** JSON; undefined without a body. */
  readonly body?: unknown;
}

function queriesOf({ method, url = "", body }: ReadRequest): readonly unknown[] {
  if (method === "POST") return [(body as { readonly query?: unknown } | undefined)?.query];
  return new URLSearchParams(url.slice(url.indexOf("?") + 1)).getAll("query");
}

/**
 * True for every document that asks for the schema. Its names cannot be written in another way, so the text is enough; a text that only
 * mentions them is checked too, which costs authorised callers nothing.
 */
export function asksForSchema(request: ReadRequest): boolean {
  return queriesOf(request).some((query) => typeof query === "string" && introspection.test(query));
}

/** graphql-js proposes names of the schema for those that it does not know. */
const proposal = / Did you mean [^?]+\?$/;

/** How errors are sent: without names of the schema where interceptors protect it. */
export function errorFormat(service: Service): FormatError {
  const isOpen = service.guard(service) === service;
  if (isOpen) return formatError;
  return (formatted, error) => {
    const sent = formatError(formatted, error);
    return { ...sent, message: sent.message.replace(proposal, "") };
  };
}

/** Resolves for a caller who may read the schema; rejects with what the interceptors refuse others with. */
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
