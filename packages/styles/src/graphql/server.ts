// Serves a service over GraphQL without a server library: bindings execute documents, pass HTTP requests and write answers. Everything between is here,
// the same with each library.
import type { JsonValue } from "@bufbuild/protobuf";
import { CallError, canonicalCodes, type ServerCall, type Service, type SettingsOf } from "@roundtrip/contract";
import { contractDomain } from "@roundtrip/contract/resources";
import type { ExecutionResult } from "graphql";
import { sentError } from "./documents/document-rules.ts";
import { documentLimits } from "./documents/store.ts";
import { extensionsOf, type FormatError, formatErrorOf } from "./errors.ts";
import {
  acceptsParts,
  type AnswerType,
  answerTypeFor,
  type Audience,
  audienceOf,
  olderStatus,
  paramsOf,
  type RequestParams,
} from "./http.ts";
import { DocumentLoads, EdgeService } from "./edges/document-loads.ts";
import { eventStreamType, graphqlPath, graphqlResponseType, type graphqlSettings, sdlPath, style } from "./index.ts";
import type { GraphqlContext } from "./schema/resolvers.ts";
import { serviceSchema } from "./schema/schema.ts";
import type { AnswerEvents, ContextOf, GraphqlParts, SocketDocuments } from "./streams/results.ts";
import {
  type Describe,
  type DescribedServer,
  descriptionAnswer,
  nothingAt,
} from "../shared/http/description-answer.ts";
import {
  checkJsonType,
  droppedAnswer,
  type HttpAnswer,
  HttpError,
  httpService,
  metadataHeaders,
  neverAborted,
  originForm,
  otherMethodAnswer,
  parsedJson,
  readMethods,
  type ReceivedRequest,
  type RoutedService,
  type ServedExchange,
  SettledExchange,
  textAnswer,
  type WholeAnswer,
  type WriteFaultBody,
} from "../shared/http/http-service.ts";
import { SharedCalls } from "../shared/http/shared-calls.ts";
import { graphqlWeights } from "../shared/proto-json/json-limits.ts";
import { jsonReader } from "../shared/proto-json/scalars.ts";

export { askedOperation, documentRule, refusedBy, sentError } from "./documents/document-rules.ts";
export { maxSelections, maxTokens } from "./documents/document-limits.ts";
export { documentStore, maxCachedTexts, TextCache } from "./documents/store.ts";
export { type Edge, edgesOf } from "./edges/edges.ts";
export { type FormatError, formatErrorOf } from "./errors.ts";
export { olderStatus, onlyByPost } from "./http.ts";
export { graphqlPath, graphqlSettings } from "./index.ts";
export { graphqlModel, type Model, typeText } from "./schema/model.ts";
export type { Direction } from "./schema/names.ts";
export { type GraphqlContext } from "./schema/resolvers.ts";
export { schemaTypes } from "./schema/schema.ts";
export { type GraphqlParts, type SocketDocuments } from "./streams/results.ts";
export { enumNames } from "./values/enums.ts";

function textOf(error: CallError, domain: string): string {
  return JSON.stringify({ errors: [{ message: error.message, extensions: extensionsOf(error, domain) }] });
}

/** The answer to requests that HTTP itself refuses. */
export const httpFault: WriteFaultBody = (error) => ({ type: graphqlResponseType, text: textOf(error, "") });

/** The answer to an error before GraphQL execution. @param thrown an HttpError, or anything that {@link CallError.from} accepts. */
export function errorAnswer(thrown: unknown, accept: string | undefined, domain: string): WholeAnswer {
  const { status, headers, error } =
    thrown instanceof HttpError ? thrown : { status: undefined, headers: {}, error: CallError.from(thrown) };
  const type = accept?.includes(graphqlResponseType) === true ? graphqlResponseType : "application/json";
  return textAnswer(status ?? canonicalCodes[error.code].http, `${type}; charset=utf-8`, textOf(error, domain), {
    ...headers,
    // A 401 states how to authenticate (RFC 9110, section 15.5.2).
    ...(error.code === "UNAUTHENTICATED" ? { "www-authenticate": "Bearer" } : {}),
  });
}

export interface GraphqlRequest {
  /** GET or POST. */
  readonly method: string;
  readonly params: RequestParams;
  readonly type: AnswerType;
  readonly audience: Audience;
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

/** Rejects for callers that may not see the schema. */
async function checkAsker(service: Service, calls: SharedCalls): Promise<void> {
  const { checkMayDescribe } = await import("../shared/description-guard.ts");
  await calls.answerCall((call) => checkMayDescribe(service, call));
}

/** graphql-js suggests names of the schema for unknown names. */
const proposal = / Did you mean [^?]+\?$/;

/** The error format: if interceptors protect the schema, without suggestions of its names. */
function errorFormat(service: Service, domain: string): FormatError {
  const isOpen = service.guard(service) === service;
  const format = formatErrorOf(domain);
  if (isOpen) return format;
  return (formatted, error) => {
    const sent = format(formatted, error);
    return { ...sent, message: sent.message.replace(proposal, "") };
  };
}

interface GraphqlServer extends DescribedServer, GraphqlParts {
  readonly parse: (text: string) => JsonValue;
  readonly answer: AnswerDocument;
  readonly contextOf: ContextOf;
  readonly excessOf: ReturnType<typeof documentLimits>;
  /** Answers requests for a stream of results; undefined if the contract has no stream. */
  readonly answerEvents: AnswerEvents | undefined;
}

/** Whether a request accepts its results as events, or in parts of one body. */
function asksForEvents({ method, headers: { accept } }: ReceivedRequest): boolean {
  return method === "POST" && (accept?.includes(eventStreamType) === true || acceptsParts(accept));
}

class GraphqlExchange implements ServedExchange {
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
    return errorAnswer(thrown, this.#request.headers.accept, this.#server.domain);
  }

  cancel(): void {
    this.#calls.cancel();
  }

  async #answered(bytes: Uint8Array | undefined): Promise<HttpAnswer> {
    const { service, parse, format, answer, answerEvents, contextOf, excessOf } = this.#server;
    const { method, headers } = this.#request;
    if (bytes !== undefined) checkJsonType(headers["content-type"]);
    const body = bytes === undefined ? undefined : parsedJson(bytes, parse, graphqlWeights);
    if (asksForSchema(this.#request, body)) await checkAsker(service, this.#calls);
    if (answerEvents !== undefined && asksForEvents(this.#request)) {
      return answerEvents(body, this.#calls, headers.accept ?? "");
    }
    const type = answerTypeFor(headers.accept);
    const params = paramsOf(this.#request, body);
    const excess = excessOf(params.query);
    if (excess !== undefined) return refusedAnswer(excess, format, { type, audience: audienceOf(this.#request) });
    return answer({ method, params, type, audience: audienceOf(this.#request), context: contextOf(this.#calls) });
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

function pageOf({ schema }: GraphqlParts): Describe {
  return async (...described) => (await import("./page.ts")).graphqlPage(schema, ...described);
}

function sdlBy({ schema }: GraphqlParts): Describe {
  return async (_about, _origin, metadata) => {
    const { sdlOfSchema } = await import("./schema/schema.ts");
    const headers = { ...metadata, "x-content-type-options": "nosniff" };
    return textAnswer(200, "application/graphql; charset=utf-8", sdlOfSchema(schema), headers);
  };
}

function exchangeOf(server: GraphqlServer, received: ReceivedRequest): ServedExchange {
  const { accept } = received.headers;
  const [path = ""] = originForm(received.url).split("?", 1);
  const { method } = received;
  const isSdl = path === sdlPath;
  if (!isSdl && path !== graphqlPath && path !== `${graphqlPath}/`) throw nothingAt(path, style, server);
  if (isSdl ? method !== "GET" && method !== "HEAD" : method === "OPTIONS") {
    return new SettledExchange(otherMethodAnswer(path, method, isSdl ? readMethods : ["GET", "POST"]));
  }
  if (!isSdl && audienceOf(received) !== "people") return new GraphqlExchange(server, received);
  const refuse = (thrown: unknown, call: ServerCall | undefined): WholeAnswer => {
    try {
      const metadata = call === undefined ? undefined : metadataHeaders(call);
      const answer = errorAnswer(thrown, accept, server.domain);
      return { ...answer, headers: { ...metadata, ...answer.headers } };
    } catch (unsendable) {
      return errorAnswer(unsendable, accept, server.domain);
    }
  };
  return new SettledExchange(
    descriptionAnswer(server, received, { describe: isSdl ? sdlBy(server) : pageOf(server), refuse }),
  );
}

/** @param settings valid ones */
export function graphqlParts(service: Service, { edges, edgeLoads }: SettingsOf<typeof graphqlSettings>): GraphqlParts {
  const domain = contractDomain(service.contract);
  return { schema: serviceSchema(service, edges), domain, format: errorFormat(service, domain), edgeLoads };
}

export interface GraphqlService extends RoutedService {
  /** For connections with several documents. Loaded with the first. */
  readonly socketDocuments: () => Promise<SocketDocuments>;
}

export async function graphqlService(
  described: DescribedServer,
  library: Pick<GraphqlServer, keyof GraphqlParts | "answer">,
): Promise<GraphqlService> {
  const { schema } = library;
  const edgeService = new EdgeService(described.service, library.edgeLoads);
  const contextOf: ContextOf = (http) => ({ http, loads: new DocumentLoads(edgeService, http) });
  const server: GraphqlServer = {
    ...described,
    ...library,
    contextOf,
    excessOf: documentLimits(schema),
    parse: jsonReader(...described.service.contract.operations.map(({ input }) => input)),
    answerEvents:
      (schema.getSubscriptionType() ?? undefined) === undefined
        ? undefined
        : (await import("./streams/results.ts")).eventAnswers(library, contextOf),
  };
  const http = httpService(
    (request) => exchangeOf(server, request),
    (thrown, { headers }) => errorAnswer(thrown, headers.accept, server.domain),
  );
  const plainRoutes = ["GET", "POST"].map((method) => ({ method, segments: [graphqlPath.slice(1)], ...http }));
  return {
    ...http,
    plainRoutes,
    async socketDocuments() {
      const { socketDocuments } = await import("./streams/results.ts");
      return socketDocuments(library, contextOf, async ({ query }, calls) => {
        if (typeof query === "string" && introspection.test(query)) await checkAsker(described.service, calls);
      });
    },
  };
}
