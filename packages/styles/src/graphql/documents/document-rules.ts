// Refuses documents that are too deep, too large, or make too many calls. Servers validate a document once and cache it, so calls do not pay.
import { CallError } from "@roundtrip/contract";
import { GraphQLError, Kind, type SelectionNode, type SelectionSetNode, type ValidationRule } from "graphql";
import { maxAliases, maxDepth, maxRootFields, maxSelections } from "./document-limits.ts";

/** The size of a selection with all fragments expanded. */
interface Extent {
  readonly depth: number;
  readonly selections: number;
  readonly aliases: number;
  /** Number of fields at the selection's own level: of an operation, its calls. */
  readonly fields: number;
}

const nothing: Extent = { depth: 0, selections: 0, aliases: 0, fields: 0 };
const endless: Extent = { ...nothing, depth: Number.POSITIVE_INFINITY };

function together(extents: readonly Extent[]): Extent {
  const sum = (of: (extent: Extent) => number): number => extents.reduce((total, extent) => total + of(extent), 0);
  return {
    depth: Math.max(0, ...extents.map(({ depth }) => depth)),
    selections: sum(({ selections }) => selections),
    aliases: sum(({ aliases }) => aliases),
    fields: sum(({ fields }) => fields),
  };
}

function faultOf({ depth, selections, aliases, fields }: Extent): string | undefined {
  if (depth > maxDepth) return `the document is more than ${maxDepth} fields deep`;
  if (selections > maxSelections) return `the document asks for more than ${maxSelections} fields`;
  if (fields > maxRootFields) return `the document has more than ${maxRootFields} fields at its root`;
  return aliases > maxAliases ? `the document has more than ${maxAliases} aliases` : undefined;
}

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
  return {
    OperationDefinition(node): void {
      const fault = faultOf(extentOf(node.selectionSet, 0));
      if (fault === undefined) return;
      // Reported as a validation error, for which GraphQL over HTTP defines a status; the code marks it as a limit.
      const details = { reason: "GRAPHQL_VALIDATION_FAILED", domain: "graphql" };
      const originalError = new CallError("RESOURCE_EXHAUSTED", fault, details);
      context.reportError(new GraphQLError(fault, { nodes: [node], originalError }));
    },
  };
};
