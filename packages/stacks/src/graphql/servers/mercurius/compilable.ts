// Which documents graphql-jit may compile. It writes JavaScript from a document, and in version 0.8.9 runs the text of some string literals as code; some
// of its answers also differ from those of graphql-js. Every document that any of this could concern is refused here.
import {
  type ASTNode,
  BREAK,
  type DocumentNode,
  getNamedType,
  getNullableType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  typeFromAST,
  visit,
} from "graphql";

/** Maximum number of fields that graphql-jit writes code for: about 1.5 KB each, in about 50 µs that block the process. */
const maxFields = 500;

/** Names with a meaning to JavaScript, such as `__proto__`, and names of GraphQL's own fields. */
function isReserved(name: string): boolean {
  return name.startsWith("__") && name !== "__typename";
}

/** Whether graphql-jit must not read a node, wherever it stands. */
function isUnsafe(node: ASTNode): boolean {
  switch (node.kind) {
    case Kind.ARGUMENT:
      return node.value.kind !== Kind.VARIABLE;
    case Kind.VARIABLE_DEFINITION:
      return node.defaultValue !== undefined;
    // graphql-jit notes conditions in the nodes of fragments, which other fields share.
    case Kind.DIRECTIVE:
      return true;
    case Kind.FIELD:
      // graphql-jit joins the names on a path by `_`, without regard to those in the names.
      return node.alias?.value.includes("_") === true;
    case Kind.NAME:
      return isReserved(node.value);
    default:
      return false;
  }
}

function hasUnsafeNode(document: DocumentNode): boolean {
  let isFound = false;
  visit(document, {
    enter(node) {
      if (!isUnsafe(node)) return undefined;
      isFound = true;
      return BREAK;
    },
  });
  return isFound;
}

/** The number of fields with all fragments expanded. A valid document has no cycles. */
function fieldsOf(document: DocumentNode, operation: OperationDefinitionNode): number {
  const known = new Map<SelectionSetNode, number>();
  const fragments = new Map(
    document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
  const count = (set: SelectionSetNode | undefined): number => {
    if (set === undefined) return 0;
    const before = known.get(set);
    if (before !== undefined) return before;
    let fields = 0;
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) fields += 1 + count(node.selectionSet);
      else fields += count((node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value))?.selectionSet);
    }
    known.set(set, fields);
    return fields;
  };
  return count(operation.selectionSet);
}

function listsAround(type: GraphQLInputType): number {
  const nullable = getNullableType(type);
  return isListType(nullable) ? 1 + listsAround(nullable.ofType) : 0;
}

/**
 * The number of fields in the code for a variable. Stops above {@link maxFields}, because types may contain themselves. graphql-jit writes the code of a
 * type for each field that has it, and that of an element twice: GraphQL takes one element for a list of one.
 */
function inputFieldsOf(variable: GraphQLInputType): number {
  let fields = 0;
  const waiting: (readonly [type: GraphQLInputType, copies: number])[] = [[variable, 1]];
  for (let next = waiting.pop(); next !== undefined && fields <= maxFields; next = waiting.pop()) {
    const [type, outside] = next;
    const copies = outside * 2 ** listsAround(type);
    const named = getNamedType(type);
    fields += copies;
    if (isInputObjectType(named)) {
      waiting.push(...Object.values(named.getFields()).map((field) => [field.type, copies] as const));
    }
  }
  return fields;
}

/**
 * Whether graphql-jit distinguishes the resolvers of a schema: it calls that of a field by the names of type and field, joined, and that of a root field
 * by names on a path, joined by `_`.
 */
function hasDistinctNames(schema: GraphQLSchema): boolean {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  if (roots.some((root) => Object.keys(root?.getFields() ?? {}).some((name) => name.includes("_")))) return false;
  const names = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${type.name}${field}`) : [],
  );
  return new Set(names).size === names.length;
}

/** The only operation of a document. mercurius keeps compiled documents by their text, whichever operation was asked for. */
function onlyOperation({ definitions }: DocumentNode): OperationDefinitionNode | undefined {
  const [operation, another] = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  return another === undefined ? operation : undefined;
}

/** Whether graphql-jit executes an operation of this kind as the specification asks: after a mutation that fails, it would execute the next one. */
function isInOrder({ operation, selectionSet: { selections } }: OperationDefinitionNode): boolean {
  if (operation === OperationTypeNode.QUERY) return true;
  return operation === OperationTypeNode.MUTATION && selections.length === 1 && selections[0]?.kind === Kind.FIELD;
}

/** Returns the number of fields that graphql-jit writes code for, if it may compile a valid document of the schema; undefined if it must not. */
export function compilableIn(schema: GraphQLSchema): (document: DocumentNode) => number | undefined {
  if (!hasDistinctNames(schema)) return () => undefined;
  return (document) => {
    const operation = onlyOperation(document);
    if (operation === undefined || !isInOrder(operation) || hasUnsafeNode(document)) return undefined;
    const fields = (operation.variableDefinitions ?? []).reduce(
      // Variables of a valid document have input types.
      (sum, { type }) => sum + inputFieldsOf(typeFromAST(schema, type) as GraphQLInputType),
      fieldsOf(document, operation),
    );
    return fields <= maxFields ? fields : undefined;
  };
}
