// The operation of a document that a request asks for.
import {
  type DocumentNode,
  execute,
  type ExecutionResult,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
} from "graphql";
import { onlyByPost } from "../http/refusal.ts";
import { refusedBy } from "../result-errors.ts";

interface Asking {
  readonly operationName: string | undefined;
  readonly method: string;
}

/** Returns the operation, or errors if it is missing or ambiguous. Throws an HttpError if the method may not execute it. */
export function askedOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operationName, method }: Asking,
): { readonly operation: OperationDefinitionNode } | { readonly errors: readonly GraphQLError[] } {
  const operation = getOperationAST(document, operationName) ?? undefined;
  if (operation === undefined) {
    // Execution ends at once, and says what is missing.
    const { errors = [] } = execute({ schema, document, operationName }) as ExecutionResult;
    return { errors: errors.map((error) => refusedBy(error, "OPERATION_RESOLUTION_FAILURE")) };
  }
  if (method === "GET" && operation.operation !== OperationTypeNode.QUERY) throw onlyByPost(operation.operation);
  return { operation };
}
