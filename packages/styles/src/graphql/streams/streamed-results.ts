// Streams the results of a request over server-sent events: required for subscriptions, optional for queries and mutations.
import { CallError } from "@roundtrip/contract";
import {
  execute,
  getOperationAST,
  GraphQLError,
  Kind,
  OperationTypeNode,
  subscribe,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
} from "graphql";
import { documentStore } from "../documents/document-store.ts";
import type { FormatError } from "../errors.ts";
import { sentError } from "../result-errors.ts";
import type { GraphqlContext } from "../schema/resolvers.ts";

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
