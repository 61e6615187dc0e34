// Refuses documents that go too deep. They are validated once and kept, so this costs nothing per call.
import {
  GraphQLError,
  Kind,
  type ASTNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationRule,
} from "graphql";
import { maxDepth } from "./document-limits.ts";

/** Refuses documents with more than {@link maxDepth} fields inside each other. Never goes deeper itself. */
export const depthRule: ValidationRule = (context) => {
  const tooDeep = Number.POSITIVE_INFINITY;
  const depths = new Map<SelectionSetNode, number>();
  function depthOf(set: SelectionSetNode, above: number): number {
    const known = depths.get(set);
    if (known !== undefined) return known;
    if (above > maxDepth) return tooDeep;
    // Fragments that spread themselves are refused by another rule; here they must only end.
    depths.set(set, 0);
    const depth = Math.max(...set.selections.map((node) => selectionDepth(node, above)));
    depths.set(set, depth);
    return depth;
  }
  function selectionDepth(node: SelectionNode, above: number): number {
    switch (node.kind) {
      case Kind.FIELD:
        return 1 + (node.selectionSet === undefined ? 0 : depthOf(node.selectionSet, above + 1));
      case Kind.INLINE_FRAGMENT:
        return depthOf(node.selectionSet, above);
      case Kind.FRAGMENT_SPREAD: {
        const fragment = context.getFragment(node.name.value);
        return fragment === undefined || fragment === null ? 0 : depthOf(fragment.selectionSet, above);
      }
    }
  }
  return {
    OperationDefinition(node): void {
      if (depthOf(node.selectionSet, 0) <= maxDepth) return;
      const nodes: readonly ASTNode[] = [node];
      context.reportError(new GraphQLError(`the document is more than ${maxDepth} fields deep`, { nodes }));
    },
  };
};
