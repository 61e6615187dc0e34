// Checks of documents by servers: their limits, the operation that they ask for, and the errors for both.
import { CallError } from "@roundtrip/contract";
import {
  type ASTNode,
  type DocumentNode,
  execute,
  type ExecutionResult,
  type FieldNode,
  getOperationAST,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  type ValidationRule,
} from "graphql";
import {
  maxAliasCharacters,
  maxAliases,
  maxDepth,
  maxEdgeCalls,
  maxEdgeDepth,
  maxEdgeKeys,
  maxFragments,
  maxIntrospections,
  maxNameCharacters,
  maxRepeats,
  maxRootFields,
  maxSelections,
  usualPage,
} from "./document-limits.ts";
import { type Extent, extentReader } from "./document-extents.ts";
import type { FormatError, RefusalReason } from "../errors.ts";
import { onlyByPost } from "../http.ts";

/** Notes in an error why GraphQL refuses the request. */
export function refusedBy(error: GraphQLError, reason: RefusalReason): GraphQLError {
  error.extensions["code"] = reason;
  return error;
}

/** Formats one error of a result. Outside resolvers, whose errors have a path, GraphQL refuses only variables. */
export function sentError(error: Error, format: FormatError): GraphQLFormattedError {
  if (!(error instanceof GraphQLError)) return format({ message: error.message }, error);
  const isRefusal = error.path === undefined && !(error.originalError instanceof CallError);
  if (isRefusal) error.extensions["code"] ??= "BAD_USER_INPUT" satisfies RefusalReason;
  return format(error.toJSON(), error);
}

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

// Refuses documents that are too deep, too large, or make too many calls. Servers validate a document once and cache it, so calls do not pay.

function faultOf(extent: Extent): string | undefined {
  if (extent.depth > maxDepth) return `the document is more than ${maxDepth} fields deep`;
  if (extent.selections > maxSelections) return `the document asks for more than ${maxSelections} fields`;
  if (extent.fields > maxRootFields) return `the document has more than ${maxRootFields} fields at its root`;
  if (extent.introspections > maxIntrospections)
    return `the document asks for the schema more than ${maxIntrospections} times`;
  if (extent.aliases > maxAliases) return `the document has more than ${maxAliases} aliases`;
  if (extent.edgeDepth > maxEdgeDepth)
    return `the document follows more than ${maxEdgeDepth} references, one from another`;
  const smaller = `ask for smaller pages, which have ${usualPage} items unless the document says how many`;
  if (extent.edgeLists > maxEdgeCalls) return `the document asks for more than ${maxEdgeCalls} lists: ${smaller}`;
  return extent.edgeKeys > maxEdgeKeys
    ? `the document asks for more than ${maxEdgeKeys} resources by references: ${smaller}`
    : undefined;
}

function answerNameOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

/** The fields and spreads that a selection has again. Inline fragments are parts of it. */
function repeatsIn(set: SelectionSetNode): number {
  const names = new Set<string>();
  let fields = 0;
  let spreads = 0;
  const count = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (node.kind === Kind.INLINE_FRAGMENT) count(node.selectionSet);
      else if (node.kind === Kind.FRAGMENT_SPREAD) spreads += 1;
      else {
        fields += 1;
        names.add(answerNameOf(node));
      }
    }
  };
  count(set);
  return fields - names.size + Math.max(0, spreads - 1);
}

function repeatedNames(nodes: readonly { readonly name: NameNode }[]): number {
  return nodes.length - new Set(nodes.map(({ name }) => name.value)).size;
}

/** Refuses documents beyond the limits of `document-limits.ts`. */
export const documentRule: ValidationRule = (context) => {
  const extentOf = extentReader(context);
  let repeats = 0;
  // Reported as a validation error, for which GraphQL over HTTP defines a status; the code marks it as a limit.
  const report = (fault: string, node: ASTNode | undefined): void => {
    const reason: RefusalReason = "GRAPHQL_VALIDATION_FAILED";
    const originalError = new CallError("RESOURCE_EXHAUSTED", fault, { reason });
    context.reportError(new GraphQLError(fault, { nodes: node === undefined ? [] : [node], originalError }));
  };
  const countRepeats = (count: number, node: ASTNode): void => {
    const before = repeats;
    repeats += count;
    if (before > maxRepeats || repeats <= maxRepeats) return;
    report(`the document repeats more than ${maxRepeats} fields, fragments, arguments and variables`, node);
  };
  return {
    Document: {
      leave({ definitions }): void {
        const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
        if (repeats === 0 || fragments.length <= maxFragments) return;
        report(
          `the document has more than ${maxFragments} fragments, and repeats some in its selections`,
          fragments[0],
        );
      },
    },
    SelectionSet(node, _key, parent): void {
      if (parent === undefined || !("kind" in parent) || parent.kind !== Kind.INLINE_FRAGMENT)
        countRepeats(repeatsIn(node), node);
    },
    OperationDefinition(node): void {
      const fault = faultOf(extentOf(node));
      if (fault !== undefined) report(fault, node);
      countRepeats(repeatedNames((node.variableDefinitions ?? []).map(({ variable }) => variable)), node);
    },
    Field(node): void {
      countRepeats(repeatedNames(node.arguments ?? []), node);
      if (node.alias !== undefined && node.alias.value.length > maxAliasCharacters) {
        report(`an alias has more than ${maxAliasCharacters} characters`, node.alias);
      }
    },
    Name(node): void {
      if (node.value.length > maxNameCharacters) report(`a name has more than ${maxNameCharacters} characters`, node);
    },
  };
};
