// The call of a GraphQL request over HTTP, answers without a result, and access to the schema.
import { CallError, canonicalCodes, ConnectionCut, type ServerCall, type Service } from "@roundtrip/contract";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { sentError } from "./documents/document-rules.ts";
import { graphqlPath, graphqlResponseType } from "./index.ts";
import { extensionsOf, type FormatError, formatError } from "./errors.ts";
import { type AnswerType, type Audience, olderStatus } from "./http.ts";
import { HeaderMap, deadlineHeader } from "../shared/call-headers.ts";
import {
  type WriteFaultBody,
  type WholeAnswer,
  closeConnection,
  cutShort,
  HttpError,
} from "../shared/http/http-service.ts";
import { SharedCalls } from "../shared/http/shared-calls.ts";

// The HTTP request behind a resolver: its deadline, its headers, and whether its caller is still connected.

const asTheyCame = (headers: IncomingHttpHeaders) => headers;
const lacksHeader = (headers: IncomingHttpHeaders, name: string) => headers[name] === undefined;

/** One request. Each root field of its document is a separate, concurrent call. */
export class HttpContext extends SharedCalls<IncomingHttpHeaders> {
  readonly #response: ServerResponse;

  constructor({ headers }: IncomingMessage, response: ServerResponse) {
    super(new HeaderMap(headers, asTheyCame, lacksHeader), headers[deadlineHeader]);
    this.#response = response;
  }

  protected get isGone(): boolean {
    return this.#response.destroyed;
  }

  /** Runs a stream until its deadline, or until the caller disconnects or stops reading. `fail` converts what `answers` throws. */
  async *answerStream<T>(
    answers: (call: ServerCall) => AsyncIterable<T>,
    fail: (thrown: unknown) => never,
  ): AsyncGenerator<T, void, undefined> {
    let call: ServerCall | undefined;
    let isOver = false;
    let hasBegun = false;
    try {
      call = this.begin();
      this.watched().add(call);
      for await (const message of answers(call)) {
        if (!hasBegun) this.sendMetadata(call);
        hasBegun = true;
        yield message;
      }
      isOver = true;
      if (!hasBegun) this.sendMetadata(call);
    } catch (thrown) {
      if (call !== undefined && !hasBegun) this.sendMetadata(call);
      if (thrown instanceof ConnectionCut) yield this.partOf(thrown) as T;
      else fail(thrown);
    } finally {
      if (call !== undefined) this.#endStream(call, isOver);
    }
  }

  protected headerOf(name: string): string | undefined {
    const value = this.#response.getHeader(name);
    return value === undefined ? undefined : String(value);
  }

  protected setHeader(name: string, value: string): void {
    this.#response.setHeader(name, value);
  }

  protected cutOff(place: "before" | "inside"): void {
    if (place === "before") closeConnection(this.#response);
    else cutShort(this.#response);
  }

  protected beginWaiting(): void {
    this.#response.once("close", () => this.cancel());
  }

  #endStream(call: ServerCall, isOver: boolean): void {
    this.watched().delete(call);
    if (!isOver) call.cancel();
    call.finish();
  }
}

// Answers of a GraphQL server other than results of documents.

function textOf(error: CallError): string {
  return JSON.stringify({ errors: [{ message: error.message, extensions: extensionsOf(error) }] });
}

/** The answer to requests that HTTP itself refuses. */
export const httpFault: WriteFaultBody = (error) => ({ type: graphqlResponseType, text: textOf(error) });

/** The answer to an error before GraphQL execution. @param thrown an HttpError, or anything that {@link CallError.from} accepts. */
export function errorAnswer(thrown: unknown, accept: string | undefined): WholeAnswer {
  const { status, headers, error } =
    thrown instanceof HttpError ? thrown : { status: undefined, headers: {}, error: CallError.from(thrown) };
  const isNewer = accept?.includes(graphqlResponseType) === true;
  const body = textOf(error);
  return {
    status: status ?? canonicalCodes[error.code].http,
    headers: {
      ...headers,
      // A 401 states how to authenticate (RFC 9110, section 15.5.2).
      ...(error.code === "UNAUTHENTICATED" ? { "www-authenticate": "Bearer" } : {}),
      "content-type": `${isNewer ? graphqlResponseType : "application/json"}; charset=utf-8`,
      "content-length": Buffer.byteLength(body),
    },
    body,
    cut: undefined,
  };
}

/** The answer at any other path. */
export function nothingAt(path: string, accept: string | undefined): WholeAnswer {
  const error = new CallError("UNIMPLEMENTED", `nothing at ${path}: GraphQL is at ${graphqlPath}`);
  return errorAnswer(new HttpError(404, error), accept);
}

// The answer to a request that GraphQL refuses before it calls a resolver.

/** @param errors are those of a document or a result without data. */
export function refusedAnswer(
  errors: readonly Error[],
  format: FormatError,
  { type, audience }: { readonly type: AnswerType; readonly audience: Audience },
): WholeAnswer {
  const body = JSON.stringify({ errors: errors.map((error) => sentError(error, format)) });
  return {
    status: audience === "older" ? olderStatus(400, body) : 400,
    headers: { "content-type": `${type}; charset=utf-8`, "content-length": Buffer.byteLength(body) },
    body,
    cut: undefined,
  };
}

// Limits the schema to callers whom the service's interceptors accept: introspection and the page show what the service can do.

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
  const { checkMayDescribe } = await import("../shared/description-guard.ts");
  await http.answerCall((call) => checkMayDescribe(service, call));
}
