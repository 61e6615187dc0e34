// Refuses documents that go too deep. They are validated once and kept, so this costs nothing per call.
import { GraphQLError, Kind, type ASTNode, type SelectionSetNode, type ValidationRule } from "graphql";

import { maxDepth } from "./document-limits.ts";

/** Refuses documents with more than {@link maxDepth} fields inside each other. */
export const depthRule: ValidationRule = (context) => {
  const depths = new Map<SelectionSetNode, number>();
  function depthOf(set: SelectionSetNode): number {
    const known = depths.get(set);
    if (known !== undefined) return known;
    // Fragments that spread themselves are refused by another rule; here they must only end.
    depths.set(set, 0);
    const depth = Math.max(0, ...set.selections.map((node) => selectionDepth(node)));
    depths.set(set, depth);
    return depth;
  }
  function selectionDepth(node: SelectionSetNode["selections"][number]): number {
    switch (node.kind) {
      case Kind.FIELD:
        return 1 + (node.selectionSet === undefined ? 0 : depthOf(node.selectionSet));
      case Kind.INLINE_FRAGMENT:
        return depthOf(node.selectionSet);
      case Kind.FRAGMENT_SPREAD: {
        const fragment = context.getFragment(node.name.value);
        return fragment === undefined || fragment === null ? 0 : depthOf(fragment.selectionSet);
      }
    }
  }
  return {
    OperationDefinition(node): void {
      const depth = depthOf(node.selectionSet);
      if (depth <= maxDepth) return;
      const nodes: readonly ASTNode[] = [node];
      context.reportError(new GraphQLError(`the document is ${depth} fields deep; ${maxDepth} are allowed`, { nodes }));
    },
  };
};
