// Response streams as server-sent events, loaded by servers whose schema has subscriptions.
import { CallError } from "@roundtrip/contract";
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
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { sentError } from "../documents/document-rules.ts";
import { documentStore } from "../documents/store.ts";
import { eventStreamType } from "../index.ts";
import type { FormatError } from "../errors.ts";
import type { GraphqlContext } from "../schema/resolvers.ts";

// GraphQL over server-sent events, in distinct connections mode: one request, one stream of results.
// https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverSSE.md

/** A comment is sent after this many milliseconds without a result, so that proxies do not close the connection. */
const quietMs = 12_000;

/** Whether a request accepts its results as events. */
export function asksForEvents({ method, headers }: IncomingMessage): boolean {
  return method === "POST" && headers.accept?.includes(eventStreamType) === true;
}

/** Writes results as events, no faster than the caller reads. The headers wait for the first result, which may set some. */
export async function writeEvents(
  response: ServerResponse,
  results: AsyncGenerator<ExecutionResult, void, undefined>,
  textOf: (result: ExecutionResult) => string,
): Promise<void> {
  const gone = new AbortController();
  let isOver = false;
  response.once("close", () => {
    gone.abort();
    // The call is cancelled already; this ends its generator.
    if (!isOver) results.return().catch(() => undefined);
  });
  response.setHeader("content-type", `${eventStreamType}; charset=utf-8`);
  const comment = setInterval(() => response.headersSent && response.write(":\n\n"), quietMs);
  try {
    for await (const result of results) {
      const isTaken = response.write(`event: next\ndata: ${textOf(result)}\n\n`);
      if (!isTaken && !gone.signal.aborted) await once(response, "drain", { signal: gone.signal });
    }
    isOver = true;
    response.end("event: complete\ndata:\n\n");
  } catch (thrown) {
    if (!gone.signal.aborted) throw thrown;
  } finally {
    clearInterval(comment);
  }
}

// Streams the results of a request over server-sent events: required for subscriptions, optional for queries and mutations.

function sendable(result: ExecutionResult, format: FormatError): ExecutionResult {
  const errors = result.errors?.map((error) => sentError(error, format));
  return errors === undefined ? result : { ...result, errors: errors as unknown as readonly GraphQLError[] };
}

/** The last result of a failed subscription, with its error. */
function failure(thrown: unknown, document: DocumentNode): ExecutionResult {
  const error = CallError.from(thrown instanceof GraphQLError ? (thrown.originalError ?? thrown) : thrown);
  const root = getOperationAST(document)?.selectionSet.selections[0];
  const path = root?.kind === Kind.FIELD ? [root.alias?.value ?? root.name.value] : undefined;
  return { errors: [new GraphQLError(error.message, { path, originalError: error })] };
}

async function* one(result: ExecutionResult): AsyncGenerator<ExecutionResult, void, undefined> {
  yield await Promise.resolve(result);
}

async function* unfailing(
  results: AsyncIterable<ExecutionResult>,
  document: DocumentNode,
): AsyncGenerator<ExecutionResult, void, undefined> {
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

export interface StreamedResults {
  /** Resolves to the results of a request, computed on demand. Rejects with INVALID_ARGUMENT for an invalid JSON `body`. */
  readonly answer: (
    body: unknown,
    context: GraphqlContext,
  ) => Promise<AsyncGenerator<ExecutionResult, void, undefined>>;
  readonly textOf: (result: ExecutionResult) => string;
}

export function streamedResults(schema: GraphQLSchema, format: FormatError): StreamedResults {
  const checked = documentStore(schema);
  return {
    async answer(body, context) {
      const { query, operationName, variables } = (body ?? {}) as Body;
      if (typeof query !== "string") throw new CallError("INVALID_ARGUMENT", "the body is no JSON object with a query");
      const document = checked(query);
      if ("errors" in document) return one(document);
      const args = {
        schema,
        document: document.document,
        operationName: typeof operationName === "string" ? operationName : null,
        variableValues: variables as Record<string, unknown> | null,
        contextValue: context,
      };
      const isStream = getOperationAST(args.document, args.operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
      const result = await (isStream ? subscribe(args) : execute(args));
      return Symbol.asyncIterator in result ? unfailing(result, args.document) : one(result);
    },
    textOf: (result) => JSON.stringify(sendable(result, format)),
  };
}
