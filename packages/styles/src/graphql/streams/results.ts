// Response streams as server-sent events, as multipart bodies, and for connections with several documents. Loaded by servers that need them.
import { CallError, ConnectionCut, firstHalf } from "@roundtrip/contract";
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  subscribe,
} from "graphql";
import { sentError } from "../documents/document-rules.ts";
import { type CheckedDocument, documentStore } from "../documents/store.ts";
import { acceptsParts } from "../http.ts";
import { eventStreamType } from "../index.ts";
import type { FormatError } from "../errors.ts";
import type { GraphqlContext } from "../schema/resolvers.ts";
import type { HttpAnswer, ReceivedRequest } from "../../shared/http/http-service.ts";
import { SharedCalls } from "../../shared/http/shared-calls.ts";

/** What answers documents with a schema. */
export interface GraphqlParts {
  readonly edgeLoads: string;
  readonly schema: GraphQLSchema;
  /** Of errors of GraphQL itself. */
  readonly domain: string;
  readonly format: FormatError;
}

export type ContextOf = (calls: SharedCalls) => GraphqlContext;

export type AnswerEvents = (body: unknown, calls: SharedCalls, accept: string) => Promise<HttpAnswer>;

// The results of a request: required as a stream for subscriptions, optional for queries and mutations.

type Results = AsyncGenerator<ExecutionResult, void, undefined>;

/** The last result of a failed subscription, with its error. */
function failure(thrown: unknown, document: DocumentNode): ExecutionResult {
  const error = CallError.from(thrown instanceof GraphQLError ? (thrown.originalError ?? thrown) : thrown);
  const root = getOperationAST(document)?.selectionSet.selections[0];
  const path = root?.kind === Kind.FIELD ? [root.alias?.value ?? root.name.value] : undefined;
  return { errors: [new GraphQLError(error.message, { path, originalError: error })] };
}

async function* one(result: ExecutionResult): Results {
  yield await Promise.resolve(result);
}

async function* unfailing(results: AsyncIterable<ExecutionResult>, document: DocumentNode): Results {
  try {
    yield* results;
  } catch (thrown) {
    yield failure(thrown, document);
  }
}

/** What a request asks for, before it is checked. */
export interface Body {
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
}

/** Resolves to the results of a request, computed on demand. Rejects with INVALID_ARGUMENT for an invalid JSON `body`. */
function resultsOf(
  schema: GraphQLSchema,
  contextOf: ContextOf,
): (body: unknown, http: SharedCalls) => Promise<Results> {
  const checked = documentStore(schema);
  return async (body, http) => {
    const { query, operationName, variables } = (body ?? {}) as Body;
    if (typeof query !== "string") throw new CallError("INVALID_ARGUMENT", "the body is no JSON object with a query");
    const document = checked(query);
    if ("errors" in document) return one(document);
    const args = {
      schema,
      document: document.document,
      operationName: typeof operationName === "string" ? operationName : null,
      variableValues: variables as Record<string, unknown> | null,
      contextValue: contextOf(http),
    };
    const isStream = getOperationAST(args.document, args.operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
    const result = await (isStream ? subscribe(args) : execute(args));
    return Symbol.asyncIterator in result ? unfailing(result, args.document) : one(result);
  };
}

// GraphQL over server-sent events, in distinct connections mode: one request, one stream of results.
// https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverSSE.md

/** A comment is sent after this many milliseconds without a result, so that proxies do not close the connection. */
const quietMs = 12_000;

/** Resolves to undefined if nothing comes for a while. */
function comingSoon<T>(coming: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const quiet = setTimeout(() => resolve(undefined), quietMs);
    void coming.then(resolve, reject).finally(() => clearTimeout(quiet));
  });
}

function sentResult(result: ExecutionResult, format: FormatError) {
  const errors = result.errors?.map((error) => sentError(error, format));
  return errors === undefined ? result : { ...result, errors };
}

/** How results are separated in a body. */
interface Framing {
  readonly type: string;
  readonly begin: string;
  readonly next: (json: string) => string;
  /** Means nothing, and keeps a quiet connection open. */
  readonly quiet: string;
  readonly end: string;
}

const serverSentEvents: Framing = {
  type: `${eventStreamType}; charset=utf-8`,
  begin: "",
  next: (json) => `event: next\ndata: ${json}\n\n`,
  quiet: ":\n\n",
  end: "event: complete\ndata:\n\n",
};

/** With the next boundary: readers wait for it. */
const part = (json: string): string => `\r\ncontent-type: application/json\r\n\r\n${json}\r\n--graphql`;

/** https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol */
const multipart: Framing = {
  type: 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"',
  begin: "\r\n--graphql",
  next: (json) => part(`{"payload":${json}}`),
  quiet: part("{}"),
  end: "--\r\n",
};

/** The events of results. Throws where a handler has cut off the connection. */
async function* eventsOf(
  first: IteratorResult<ExecutionResult, void>,
  results: Results,
  calls: SharedCalls,
  { framing, format }: { readonly framing: Framing; readonly format: FormatError },
): AsyncGenerator<string | Uint8Array, void, undefined> {
  let coming = Promise.resolve(first);
  let begin = framing.begin;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    const result = await comingSoon(coming);
    if (result === undefined) {
      yield begin + framing.quiet;
      begin = "";
      continue;
    }
    if (calls.cut === "before") throw new ConnectionCut();
    if (result.done === true) break;
    const event = begin + framing.next(JSON.stringify(sentResult(result.value, format)));
    if (calls.cut === "inside") {
      yield firstHalf(Buffer.from(event));
      throw new ConnectionCut();
    }
    yield event;
    begin = "";
    coming = results.next();
  }
  yield begin + framing.end;
}

/** Answers with the results of a request. The headers wait for the first, which may set some. */
export function eventAnswers({ schema, format }: GraphqlParts, contextOf: ContextOf): AnswerEvents {
  const ask = resultsOf(schema, contextOf);
  return async (body, calls, accept) => {
    const framing = acceptsParts(accept) ? multipart : serverSentEvents;
    const results = await ask(body, calls);
    const events = eventsOf(await results.next(), results, calls, { framing, format });
    const pieces: AsyncIterator<string | Uint8Array> = {
      next: () => events.next(),
      async return() {
        await results.return();
        await events.return();
        return { done: true, value: undefined };
      },
    };
    const headers = { "content-type": framing.type };
    return { status: 200, headers, body: { [Symbol.asyncIterator]: () => pieces }, cut: undefined };
  };
}

// Documents of a connection that carries several, such as a WebSocket.

/** The results of a document, as they are sent. */
interface SentResults {
  readonly results: AsyncGenerator<ReturnType<typeof sentResult>, void, undefined>;
  /** The caller has disconnected, or asks for no more. */
  readonly cancel: () => void;
}

export interface SocketDocuments {
  /** The document, or the errors of an invalid one. */
  readonly check: (query: string) => CheckedDocument;
  /** Rejects with a CallError for a caller that may not ask this. Results throw a ConnectionCut where a handler cuts the connection. */
  readonly answer: (body: Body, request: ReceivedRequest) => Promise<SentResults>;
  readonly sentErrors: (errors: readonly Error[]) => readonly GraphQLFormattedError[];
}

export function socketDocuments(
  { schema, format }: GraphqlParts,
  contextOf: ContextOf,
  /** Rejects for a document that asks for the schema, if the caller may not. */
  checkSchema: (body: Body, calls: SharedCalls) => Promise<void>,
): SocketDocuments {
  const ask = resultsOf(schema, contextOf);
  async function* sent(results: Results, calls: SharedCalls): SentResults["results"] {
    for await (const result of results) {
      if (calls.cut !== undefined) throw new ConnectionCut();
      yield sentResult(result, format);
    }
  }
  return {
    check: documentStore(schema),
    sentErrors: (errors) => errors.map((error) => sentError(error, format)),
    async answer(body, request) {
      const calls = new SharedCalls(request);
      await checkSchema(body, calls);
      return { results: sent(await ask(body, calls), calls), cancel: () => calls.cancel() };
    },
  };
}
