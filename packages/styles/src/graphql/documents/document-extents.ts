// How much a document asks for, before it is executed: its fields with all fragments expanded, and what its edges may read.
import {
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from "graphql";
import { maxDepth, usualPage } from "./document-limits.ts";

/** The size of a selection with all fragments expanded, for one object of its type. */
export interface Extent {
  readonly depth: number;
  readonly selections: number;
  readonly aliases: number;
  /** Fields that describe the schema. */
  readonly introspections: number;
  /** Number of fields at the selection's own level: of an operation, its calls. */
  readonly fields: number;
  /** How many edges lead from one to the next. */
  readonly edgeDepth: number;
  /** Calls of Lists behind edges, each for one parent. */
  readonly edgeLists: number;
  /** Keys that edges follow, and items of their Lists. */
  readonly edgeKeys: number;
}

const nothing: Extent = {
  depth: 0,
  selections: 0,
  aliases: 0,
  introspections: 0,
  fields: 0,
  edgeDepth: 0,
  edgeLists: 0,
  edgeKeys: 0,
};

const endless: Extent = { ...nothing, depth: Number.POSITIVE_INFINITY };

function together(extents: readonly Extent[]): Extent {
  const sum = (of: (extent: Extent) => number): number => extents.reduce((total, extent) => total + of(extent), 0);
  const most = (of: (extent: Extent) => number): number =>
    extents.reduce((greatest, extent) => Math.max(greatest, of(extent)), 0);
  return {
    depth: most(({ depth }) => depth),
    selections: sum(({ selections }) => selections),
    aliases: sum(({ aliases }) => aliases),
    introspections: sum(({ introspections }) => introspections),
    fields: sum(({ fields }) => fields),
    edgeDepth: most(({ edgeDepth }) => edgeDepth),
    edgeLists: sum(({ edgeLists }) => edgeLists),
    edgeKeys: sum(({ edgeKeys }) => edgeKeys),
  };
}

const introspection: ReadonlySet<string> = new Set(["__schema", "__type"]);

const pageSizeNames: ReadonlySet<string> = new Set(["pageSize", "maxResults"]);

/** A field of the schema; undefined for what another rule refuses, and for introspection. */
type KnownField = GraphQLField<unknown, unknown> | undefined;

/** Whether a field is a page of a List, or the resources behind a list of references. */
function isPage({ args, extensions, type }: GraphQLField<unknown, unknown>): boolean {
  const { edge } = extensions;
  if (edge === "list" || args.some(({ name }) => pageSizeNames.has(name))) return true;
  return edge !== undefined && isListType(getNullableType(type));
}

/** How many items the page of a field has at most: what its argument says, else {@link usualPage}. 1 for a field that is no page. */
function itemsOf(field: KnownField, node: FieldNode): number {
  if (field === undefined || !isPage(field)) return 1;
  const value = node.arguments?.find(({ name }) => pageSizeNames.has(name.value))?.value;
  const size = value?.kind === Kind.INT ? Number(value.value) : 0;
  return size > 0 ? size : usualPage;
}

/** Measures the operations of a document. Its recursion stops at {@link maxDepth}. */
export function extentReader(context: ValidationContext): (operation: OperationDefinitionNode) => Extent {
  const schema = context.getSchema();
  const known = new Map<SelectionSetNode, Extent>();

  function ofSet(set: SelectionSetNode, type: GraphQLNamedType | undefined, above: number): Extent {
    const before = known.get(set);
    if (before !== undefined) return before;
    if (above > maxDepth) return endless;
    // Another rule refuses fragments that include themselves; here they only must end.
    known.set(set, nothing);
    const extent = together(set.selections.map((node) => ofNode(node, type, above)));
    known.set(set, extent);
    return extent;
  }

  function ofField(node: FieldNode, type: GraphQLNamedType | undefined, above: number): Extent {
    const hasFields = isObjectType(type) || isInterfaceType(type);
    const field: KnownField = hasFields ? type.getFields()[node.name.value] : undefined;
    const inner = field === undefined ? undefined : getNamedType(field.type);
    const inside = node.selectionSet === undefined ? nothing : ofSet(node.selectionSet, inner, above + 1);
    const edge = field?.extensions["edge"];
    const items = itemsOf(field, node);
    return {
      depth: inside.depth + 1,
      selections: inside.selections + 1,
      aliases: inside.aliases + (node.alias === undefined ? 0 : 1),
      // Each alias asks for a part of the schema again.
      introspections: introspection.has(node.name.value) ? 1 + inside.aliases : inside.introspections,
      fields: 1,
      edgeDepth: inside.edgeDepth + (edge === undefined ? 0 : 1),
      edgeLists: items * inside.edgeLists + (edge === "list" ? 1 : 0),
      edgeKeys: items * inside.edgeKeys + (edge === undefined ? 0 : items),
    };
  }

  function ofNode(node: SelectionNode, type: GraphQLNamedType | undefined, above: number): Extent {
    if (node.kind === Kind.FIELD) return ofField(node, type, above);
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : context.getFragment(node.name.value);
    if (fragment === undefined || fragment === null) return nothing;
    const { typeCondition, selectionSet } = fragment;
    return ofSet(selectionSet, typeCondition === undefined ? type : schema.getType(typeCondition.name.value), above);
  }

  return ({ operation, selectionSet }) => ofSet(selectionSet, schema.getRootType(operation) ?? undefined, 0);
}
