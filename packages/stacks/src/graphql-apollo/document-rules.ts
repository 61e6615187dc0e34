// Refuses documents that go too deep or ask for too much. They are validated once and kept, so this costs nothing per call.
import { CallError } from "@roundtrip/contract";
import { GraphQLError, Kind, type SelectionNode, type SelectionSetNode, type ValidationRule } from "graphql";
import { maxDepth, maxSelections } from "./document-limits.ts";

/** How deep a selection goes, and how many fields it has with its fragments spread out. */
interface Extent {
  readonly depth: number;
  readonly selections: number;
}

const nothing: Extent = { depth: 0, selections: 0 };
const endless: Extent = { depth: Number.POSITIVE_INFINITY, selections: 0 };

function faultOf({ depth, selections }: Extent): string | undefined {
  if (depth > maxDepth) return `the document is more than ${maxDepth} fields deep`;
  return selections > maxSelections ? `the document asks for more than ${maxSelections} fields` : undefined;
}

/** Refuses documents with more than {@link maxDepth} fields inside each other or {@link maxSelections} in all. Never goes deeper itself. */
export const documentRule: ValidationRule = (context) => {
  const extents = new Map<SelectionSetNode, Extent>();
  function extentOf(set: SelectionSetNode, above: number): Extent {
    const known = extents.get(set);
    if (known !== undefined) return known;
    if (above > maxDepth) return endless;
    // Fragments that spread themselves are refused by another rule; here they must only end.
    extents.set(set, nothing);
    let depth = 0;
    let selections = 0;
    for (const node of set.selections) {
      const inside = extentOfNode(node, above);
      depth = Math.max(depth, inside.depth);
      selections += inside.selections;
    }
    const extent = { depth, selections };
    extents.set(set, extent);
    return extent;
  }
  function extentOfNode(node: SelectionNode, above: number): Extent {
    switch (node.kind) {
      case Kind.FIELD: {
        const { depth, selections } =
          node.selectionSet === undefined ? nothing : extentOf(node.selectionSet, above + 1);
        return { depth: depth + 1, selections: selections + 1 };
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
      const originalError = new CallError("RESOURCE_EXHAUSTED", fault);
      context.reportError(new GraphQLError(fault, { nodes: [node], originalError }));
    },
  };
};
