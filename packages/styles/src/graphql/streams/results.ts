// Response streams as server-sent events, loaded by servers whose schema has subscriptions.
import { CallError, ConnectionCut, firstHalf } from "@roundtrip/contract";
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  subscribe,
} from "graphql";
import { sentError } from "../documents/document-rules.ts";
import { documentStore } from "../documents/store.ts";
import { eventStreamType } from "../index.ts";
import type { FormatError } from "../errors.ts";
import type { GraphqlContext } from "../schema/resolvers.ts";
import { type HttpAnswer } from "../../shared/http/http-service.ts";
import type { SharedCalls } from "../../shared/http/shared-calls.ts";

/** What answers documents with a schema. */
export interface GraphqlParts {
  /** The setting of this name. */
  readonly edgeLoads: string;
  readonly schema: GraphQLSchema;
  readonly format: FormatError;
}

/** What resolvers of a request need. */
export type ContextOf = (calls: SharedCalls) => GraphqlContext;

export type AnswerEvents = (body: unknown, calls: SharedCalls) => Promise<HttpAnswer>;

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

interface Body {
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

function eventOf(result: ExecutionResult, format: FormatError): string {
  const errors = result.errors?.map((error) => sentError(error, format));
  return `event: next\ndata: ${JSON.stringify(errors === undefined ? result : { ...result, errors })}\n\n`;
}

/** The events of results. Throws where a handler has cut off the connection. */
async function* eventsOf(
  first: IteratorResult<ExecutionResult, void>,
  results: Results,
  calls: SharedCalls,
  format: FormatError,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  let coming = Promise.resolve(first);
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    const result = await comingSoon(coming);
    if (result === undefined) {
      yield ":\n\n";
      continue;
    }
    if (calls.cut === "before") throw new ConnectionCut();
    if (result.done === true) break;
    const event = eventOf(result.value, format);
    if (calls.cut === "inside") {
      yield firstHalf(Buffer.from(event));
      throw new ConnectionCut();
    }
    yield event;
    coming = results.next();
  }
  yield "event: complete\ndata:\n\n";
}

/** Answers with the results of a request. The headers wait for the first, which may set some. */
export function eventAnswers({ schema, format }: GraphqlParts, contextOf: ContextOf): AnswerEvents {
  const ask = resultsOf(schema, contextOf);
  return async (body, calls) => {
    const results = await ask(body, calls);
    const events = eventsOf(await results.next(), results, calls, format);
    const pieces: AsyncIterator<string | Uint8Array> = {
      next: () => events.next(),
      async return() {
        await results.return();
        await events.return();
        return { done: true, value: undefined };
      },
    };
    const headers = { "content-type": `${eventStreamType}; charset=utf-8` };
    return { status: 200, headers, body: { [Symbol.asyncIterator]: () => pieces }, cut: undefined };
  };
}
