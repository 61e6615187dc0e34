// One HTTP request of GraphQL until its answer. A server library executes the document; everything else is the same with each.
import type { JsonValue } from "@bufbuild/protobuf";
import { CallError, canonicalCodes, type Service } from "@roundtrip/contract";
import type { ExecutionResult, GraphQLSchema } from "graphql";
import { sentError } from "./documents/document-rules.ts";
import { eventStreamType, graphqlPath, graphqlResponseType } from "./index.ts";
import { extensionsOf, type FormatError, formatError } from "./errors.ts";
import {
  type AnswerType,
  answerTypeFor,
  type Audience,
  audienceOf,
  olderStatus,
  paramsOf,
  type RequestParams,
} from "./http.ts";
import type { GraphqlContext } from "./schema/resolvers.ts";
import type { DescribedServer } from "../shared/http/description-answer.ts";
import {
  droppedAnswer,
  type HttpAnswer,
  HttpError,
  neverAborted,
  type ReceivedRequest,
  type ServedExchange,
  textAnswer,
  type WholeAnswer,
  type WriteFaultBody,
} from "../shared/http/http-service.ts";
import { checkJsonType, parsedJson } from "../shared/http/request-checks.ts";
import { SharedCalls } from "../shared/http/shared-calls.ts";

// Answers without the result of a document.

function textOf(error: CallError): string {
  return JSON.stringify({ errors: [{ message: error.message, extensions: extensionsOf(error) }] });
}

/** The answer to requests that HTTP itself refuses. */
export const httpFault: WriteFaultBody = (error) => ({ type: graphqlResponseType, text: textOf(error) });

/** The answer to an error before GraphQL execution. @param thrown an HttpError, or anything that {@link CallError.from} accepts. */
export function errorAnswer(thrown: unknown, accept: string | undefined): WholeAnswer {
  const { status, headers, error } =
    thrown instanceof HttpError ? thrown : { status: undefined, headers: {}, error: CallError.from(thrown) };
  const type = accept?.includes(graphqlResponseType) === true ? graphqlResponseType : "application/json";
  return textAnswer(status ?? canonicalCodes[error.code].http, `${type}; charset=utf-8`, textOf(error), {
    ...headers,
    // A 401 states how to authenticate (RFC 9110, section 15.5.2).
    ...(error.code === "UNAUTHENTICATED" ? { "www-authenticate": "Bearer" } : {}),
  });
}

/** The answer at any other path. */
export function nothingAt(path: string, accept: string | undefined): WholeAnswer {
  const error = new CallError("UNIMPLEMENTED", `nothing at ${path}: GraphQL is at ${graphqlPath}`);
  return errorAnswer(new HttpError(404, error), accept);
}

// Answers of a library to the document of a request.

/** A request whose document is to be executed. */
export interface GraphqlRequest {
  /** GET or POST. */
  readonly method: string;
  readonly params: RequestParams;
  /** The media type of the answer. */
  readonly type: AnswerType;
  readonly audience: Audience;
  /** What resolvers need. */
  readonly context: GraphqlContext;
}

/** Executes documents with a library. May throw or reject with an HttpError, or with anything that {@link CallError.from} accepts. */
export type AnswerDocument = (request: GraphqlRequest) => WholeAnswer | Promise<WholeAnswer>;

/** The answer to a request that GraphQL refuses before it calls a resolver. @param errors are those of a document or a result without data. */
export function refusedAnswer(
  errors: readonly Error[],
  format: FormatError,
  { type, audience }: Pick<GraphqlRequest, "type" | "audience">,
): WholeAnswer {
  const body = JSON.stringify({ errors: errors.map((error) => sentError(error, format)) });
  const status = audience === "older" ? olderStatus(400, body) : 400;
  return textAnswer(status, `${type}; charset=utf-8`, body, undefined);
}

/** The answer with a result, for libraries that do not write it themselves. */
export function resultAnswer(
  { data, errors }: ExecutionResult,
  format: FormatError,
  request: Pick<GraphqlRequest, "type" | "audience">,
): WholeAnswer {
  if (data === undefined) return refusedAnswer(errors ?? [], format, request);
  const result = errors === undefined ? { data } : { errors: errors.map((error) => sentError(error, format)), data };
  return textAnswer(200, `${request.type}; charset=utf-8`, JSON.stringify(result), undefined);
}

// Limits the schema to callers whom the service's interceptors accept: introspection and the page show what the service can do.

/** The introspection fields, without `__typename`, which answers use too. */
const introspection = /__(?:schema|type)(?!\w)/;

function queriesOf({ method, url }: ReceivedRequest, body: unknown): readonly unknown[] {
  if (method === "POST") return [(body as { readonly query?: unknown } | undefined)?.query];
  return new URLSearchParams(url.slice(url.indexOf("?") + 1)).getAll("query");
}

/** Whether a request may ask for the schema, by a text search: the names have no other spelling. Checking too many documents does no harm. */
function asksForSchema(request: ReceivedRequest, body: unknown): boolean {
  return queriesOf(request, body).some((query) => typeof query === "string" && introspection.test(query));
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

// The exchange.

/** What answers documents with a schema. */
export interface GraphqlParts {
  readonly schema: GraphQLSchema;
  readonly format: FormatError;
}

export type AnswerEvents = (body: unknown, calls: SharedCalls) => Promise<HttpAnswer>;

export interface GraphqlServer extends DescribedServer, GraphqlParts {
  readonly parse: (text: string) => JsonValue;
  readonly answer: AnswerDocument;
  /** Answers requests for a stream of results; undefined if the contract has no stream. */
  readonly answerEvents: AnswerEvents | undefined;
}

/** Whether a request accepts its results as events. */
function asksForEvents({ method, headers }: ReceivedRequest): boolean {
  return method === "POST" && headers.accept?.includes(eventStreamType) === true;
}

export class GraphqlExchange implements ServedExchange {
  readonly takes = "body";
  readonly signal: AbortSignal = neverAborted;
  readonly #server: GraphqlServer;
  readonly #request: ReceivedRequest;
  readonly #calls: SharedCalls;

  constructor(server: GraphqlServer, request: ReceivedRequest) {
    this.#server = server;
    this.#request = request;
    this.#calls = new SharedCalls(request);
  }

  async answer(bytes: Uint8Array | undefined): Promise<HttpAnswer> {
    try {
      return this.#sent(await this.#answered(bytes));
    } catch (thrown) {
      return this.#sent(this.refuse(thrown));
    }
  }

  // oxlint-disable-next-line require-await -- bodies are never read in pieces
  async answerPieces(): Promise<WholeAnswer> {
    return droppedAnswer;
  }

  refuse(thrown: unknown): WholeAnswer {
    return errorAnswer(thrown, this.#request.headers.accept);
  }

  cancel(): void {
    this.#calls.cancel();
  }

  async #answered(bytes: Uint8Array | undefined): Promise<HttpAnswer> {
    const { service, parse, answer, answerEvents } = this.#server;
    const { method, headers } = this.#request;
    if (bytes !== undefined) checkJsonType(headers["content-type"]);
    const body = bytes === undefined ? undefined : parsedJson(bytes, parse);
    if (asksForSchema(this.#request, body)) {
      const { checkMayDescribe } = await import("../shared/description-guard.ts");
      await this.#calls.answerCall((call) => checkMayDescribe(service, call));
    }
    if (answerEvents !== undefined && asksForEvents(this.#request)) return answerEvents(body, this.#calls);
    const type = answerTypeFor(headers.accept);
    const params = paramsOf(this.#request, body);
    return answer({ method, params, type, audience: audienceOf(this.#request), context: { http: this.#calls } });
  }

  /** Adds what the calls have set. */
  #sent(answer: HttpAnswer): HttpAnswer {
    const { cut, headers } = this.#calls;
    if (cut === "before") return droppedAnswer;
    return headers === undefined && cut === undefined
      ? answer
      : { ...answer, headers: { ...headers, ...answer.headers }, cut };
  }
}
