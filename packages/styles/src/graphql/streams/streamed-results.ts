// Streams the results of a request over server-sent events: required for subscriptions, optional for queries and mutations.
import { CallError } from "@roundtrip/contract";
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
  type GraphQLFormattedError,
  type GraphQLSchema,
} from "graphql";
import { maxTokens } from "../documents/document-limits.ts";
import { documentRule } from "../documents/document-rules.ts";
import { extensionsOf, type FormatError, type RefusalReason } from "../errors.ts";
import type { GraphqlContext } from "../schema/resolvers.ts";

/** Maximum number of cached documents: callers write them. */
const maxKept = 1_000;

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

/** An error of GraphQL itself, for {@link FormatError}. */
function refusal(error: GraphQLError, code: RefusalReason): GraphQLFormattedError {
  return { ...error.toJSON(), extensions: { code } };
}

function refused(errors: readonly GraphQLError[], formatError: FormatError): ExecutionResult {
  const formatted = errors.map((error) => {
    const isSyntax = error.message.startsWith("Syntax Error");
    return formatError(refusal(error, isSyntax ? "GRAPHQL_PARSE_FAILED" : "GRAPHQL_VALIDATION_FAILED"), error);
  });
  return { errors: formatted as unknown as readonly GraphQLError[] };
}

/** Formats the errors of a result. Errors in variables have no path; errors of resolvers have one. */
function sendable(result: ExecutionResult, formatError: FormatError): ExecutionResult {
  if (result.errors === undefined) return result;
  const errors = result.errors.map((error) => {
    if (!(error instanceof GraphQLError)) return error;
    const isVariables = error.path === undefined && !(error.originalError instanceof CallError);
    return formatError(isVariables ? refusal(error, "BAD_USER_INPUT") : error.toJSON(), error);
  });
  return { ...result, errors: errors as unknown as readonly GraphQLError[] };
}

/** The last result of a failed subscription, with its error. */
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
  const known = new Map<string, Checked>();
  const checked = (query: string): Checked => {
    const before = known.get(query);
    if (before !== undefined) return before;
    const made = check(schema, query);
    if (known.size >= maxKept) known.clear();
    if ("document" in made) known.set(query, made);
    return made;
  };
  return {
    async answer(body, context) {
      const { query, operationName, variables } = (body ?? {}) as Body;
      if (typeof query !== "string") throw new CallError("INVALID_ARGUMENT", "the body is no JSON object with a query");
      const document = checked(query);
      if ("errors" in document) return one(refused(document.errors, format));
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
