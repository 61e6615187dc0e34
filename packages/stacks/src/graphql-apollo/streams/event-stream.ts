// GraphQL over server-sent events, in distinct connections mode: one request, one stream of results. Subscriptions need it; queries and
// mutations may use it. https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverSSE.md
import { CallError } from "@roundtrip/contract";
import type { RequestHandler, Response } from "express";
import {
  execute,
  getOperationAST,
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  specifiedRules,
  subscribe,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from "graphql";
import { once } from "node:events";
import { maxTokens } from "../documents/document-limits.ts";
import { documentRule } from "../documents/document-rules.ts";
import { extensionsOf, type formatError } from "../errors.ts";
import { eventStreamType } from "../http/media-types.ts";
import { httpContextOf } from "../http/schema-guard.ts";

/** A comment is sent after this long without a result: what stands in between shall not take the connection for dead. */
const quietMs = 12_000;

/** Documents of subscriptions are the callers': more are not kept. */
const maxKept = 1_000;

/** How errors are told. */
type Format = typeof formatError;

type Checked = { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] };

function check(schema: GraphQLSchema, query: string): Checked {
  try {
    const document = parse(query, { maxTokens });
    const errors = validate(schema, document, [...specifiedRules, documentRule]);
    return errors.length === 0 ? { document } : { errors };
  } catch (thrown) {
    if (thrown instanceof GraphQLError) return { errors: [thrown] };
    throw thrown;
  }
}

/** What GraphQL itself refuses in a document, as Apollo Server would say it. */
function refused(errors: readonly GraphQLError[], formatError: Format): ExecutionResult {
  const formatted = errors.map((error) => {
    const code = error.message.startsWith("Syntax Error") ? "GRAPHQL_PARSE_FAILED" : "GRAPHQL_VALIDATION_FAILED";
    return formatError({ ...error.toJSON(), extensions: { code } }, error);
  });
  return { errors: formatted as unknown as readonly GraphQLError[] };
}

/** Errors of a result as they are sent; variables that do not fit have no path, what resolvers throw has. */
function sendable(result: ExecutionResult, formatError: Format): ExecutionResult {
  if (result.errors === undefined) return result;
  const errors = result.errors.map((error) => {
    if (!(error instanceof GraphQLError)) return error;
    const isVariables = error.path === undefined && !(error.originalError instanceof CallError);
    return formatError(
      { ...error.toJSON(), ...(isVariables ? { extensions: { code: "BAD_USER_INPUT" } } : {}) },
      error,
    );
  });
  return { ...result, errors: errors as unknown as readonly GraphQLError[] };
}

/** The stream of a subscription failed: its error ends the stream, where the answer would have stood. */
function failure(thrown: unknown, document: DocumentNode): ExecutionResult {
  const error = CallError.from(thrown instanceof GraphQLError ? (thrown.originalError ?? thrown) : thrown);
  const root = getOperationAST(document)?.selectionSet.selections[0];
  const path = root?.kind === Kind.FIELD ? { path: [root.alias?.value ?? root.name.value] } : {};
  const formatted = { message: error.message, ...path, extensions: extensionsOf(error) };
  return { errors: [formatted as unknown as GraphQLError] };
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

/** Writes results as events, no faster than the caller reads. Nothing is sent before there is one: headers may come with it. */
async function send(
  response: Response,
  results: AsyncGenerator<ExecutionResult, void, undefined>,
  formatError: Format,
): Promise<void> {
  const gone = new AbortController();
  let isOver = false;
  response.once("close", () => {
    gone.abort();
    // The call has been cancelled; what waits for it hears of that.
    if (!isOver) results.return().catch(() => undefined);
  });
  response.setHeader("content-type", `${eventStreamType}; charset=utf-8`);
  const comment = setInterval(() => response.headersSent && response.write(":\n\n"), quietMs);
  try {
    for await (const result of results) {
      const isTaken = response.write(`event: next\ndata: ${JSON.stringify(sendable(result, formatError))}\n\n`);
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

interface Body {
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
}

/** Answers POST requests that ask for an event stream; leaves all others to who comes next. Needs the parsed body. */
export function eventStreams(schema: GraphQLSchema, format: Format): RequestHandler {
  const known = new Map<string, Checked>();
  const checked = (query: string): Checked => {
    const before = known.get(query);
    if (before !== undefined) return before;
    const made = check(schema, query);
    if (known.size >= maxKept) known.clear();
    if ("document" in made) known.set(query, made);
    return made;
  };
  return async (request, response, next) => {
    if (request.method !== "POST" || request.headers.accept?.includes(eventStreamType) !== true) {
      next();
      return;
    }
    const { query, operationName, variables } = (request.body ?? {}) as Body;
    if (typeof query !== "string") throw new CallError("INVALID_ARGUMENT", "the body is no JSON object with a query");
    const document = checked(query);
    if ("errors" in document) {
      await send(response, one(refused(document.errors, format)), format);
      return;
    }
    const args = {
      schema,
      document: document.document,
      operationName: typeof operationName === "string" ? operationName : null,
      variableValues: variables as Record<string, unknown> | null,
      contextValue: { http: httpContextOf(request, response) },
    };
    const isStream = getOperationAST(args.document, args.operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
    const result = await (isStream ? subscribe(args) : execute(args));
    await send(response, Symbol.asyncIterator in result ? unfailing(result, args.document) : one(result), format);
  };
}
