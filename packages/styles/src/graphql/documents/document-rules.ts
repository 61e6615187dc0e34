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
  type SelectionNode,
  type SelectionSetNode,
  type ValidationRule,
} from "graphql";
import {
  maxAliasCharacters,
  maxAliases,
  maxDepth,
  maxFragments,
  maxIntrospections,
  maxNameCharacters,
  maxRepeats,
  maxRootFields,
  maxSelections,
} from "./document-limits.ts";
import type { FormatError, RefusalReason } from "../errors.ts";
import { onlyByPost } from "../http.ts";

// The errors of a result as they are sent, for servers whose library leaves this to them.

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

// The operation of a document that a request asks for.

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

/** The size of a selection with all fragments expanded. */
interface Extent {
  readonly depth: number;
  readonly selections: number;
  readonly aliases: number;
  /** Fields that describe the schema. */
  readonly introspections: number;
  /** Number of fields at the selection's own level: of an operation, its calls. */
  readonly fields: number;
}

const nothing: Extent = { depth: 0, selections: 0, aliases: 0, introspections: 0, fields: 0 };
const endless: Extent = { ...nothing, depth: Number.POSITIVE_INFINITY };

function together(extents: readonly Extent[]): Extent {
  const sum = (of: (extent: Extent) => number): number => extents.reduce((total, extent) => total + of(extent), 0);
  return {
    depth: extents.reduce((most, { depth }) => Math.max(most, depth), 0),
    selections: sum(({ selections }) => selections),
    aliases: sum(({ aliases }) => aliases),
    introspections: sum(({ introspections }) => introspections),
    fields: sum(({ fields }) => fields),
  };
}

function faultOf({ depth, selections, aliases, introspections, fields }: Extent): string | undefined {
  if (depth > maxDepth) return `the document is more than ${maxDepth} fields deep`;
  if (selections > maxSelections) return `the document asks for more than ${maxSelections} fields`;
  if (fields > maxRootFields) return `the document has more than ${maxRootFields} fields at its root`;
  if (introspections > maxIntrospections)
    return `the document asks for the schema more than ${maxIntrospections} times`;
  return aliases > maxAliases ? `the document has more than ${maxAliases} aliases` : undefined;
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

const introspection: ReadonlySet<string> = new Set(["__schema", "__type"]);

/** Refuses documents beyond the limits of `document-limits.ts`. Its own recursion stops at those limits. */
export const documentRule: ValidationRule = (context) => {
  const extents = new Map<SelectionSetNode, Extent>();
  function extentOf(set: SelectionSetNode, above: number): Extent {
    const known = extents.get(set);
    if (known !== undefined) return known;
    if (above > maxDepth) return endless;
    // Another rule refuses fragments that include themselves; here they only must end.
    extents.set(set, nothing);
    const extent = together(set.selections.map((node) => extentOfNode(node, above)));
    extents.set(set, extent);
    return extent;
  }
  function extentOfNode(node: SelectionNode, above: number): Extent {
    switch (node.kind) {
      case Kind.FIELD: {
        const inside = node.selectionSet === undefined ? nothing : extentOf(node.selectionSet, above + 1);
        return {
          depth: inside.depth + 1,
          selections: inside.selections + 1,
          aliases: inside.aliases + (node.alias === undefined ? 0 : 1),
          // Each alias asks for a part of the schema again.
          introspections: introspection.has(node.name.value) ? 1 + inside.aliases : inside.introspections,
          fields: 1,
        };
      }
      case Kind.INLINE_FRAGMENT:
        return extentOf(node.selectionSet, above);
      case Kind.FRAGMENT_SPREAD: {
        const fragment = context.getFragment(node.name.value);
        return fragment === undefined || fragment === null ? nothing : extentOf(fragment.selectionSet, above);
      }
    }
  }
  let repeats = 0;
  // Reported as a validation error, for which GraphQL over HTTP defines a status; the code marks it as a limit.
  const report = (fault: string, node: ASTNode | undefined): void => {
    const details = { reason: "GRAPHQL_VALIDATION_FAILED", domain: "graphql" };
    const originalError = new CallError("RESOURCE_EXHAUSTED", fault, details);
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
      const fault = faultOf(extentOf(node.selectionSet, 0));
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
