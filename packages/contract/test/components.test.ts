// Strongly connected components, held against their definition: two nodes are in one component if each can be reached from the other.
import { array, assert, constantFrom, property, tuple } from "fast-check";
import { expect, test } from "vitest";
import { componentsOf } from "../src/descriptors/components.ts";

const nodes = [0, 1, 2, 3, 4, 5, 6];
const edges = array(tuple(constantFrom(...nodes), constantFrom(...nodes)), { maxLength: 14 });

function reachedFrom(node: number, given: readonly (readonly [number, number])[]): ReadonlySet<number> {
  const reached = new Set([node]);
  // What is added meanwhile is visited too.
  for (const one of reached) for (const [from, to] of given) if (from === one) reached.add(to);
  return reached;
}

test("nodes that can reach each other are one component, which comes after all that it leads to", () => {
  assert(
    property(edges, (given) => {
      const components = componentsOf(nodes, (node) => given.flatMap(([from, to]) => (from === node ? [to] : [])));
      expect(components.flat().toSorted((one, other) => one - other)).toEqual(nodes);
      const positionOf = (node: number): number => components.findIndex((component) => component.includes(node));
      for (const one of nodes) {
        for (const other of reachedFrom(one, given)) {
          expect(positionOf(other)).toBeLessThanOrEqual(positionOf(one));
          expect(positionOf(other) === positionOf(one)).toBe(reachedFrom(other, given).has(one));
        }
      }
    }),
    { numRuns: 300 },
  );
});
