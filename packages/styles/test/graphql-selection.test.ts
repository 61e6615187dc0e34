// Selections are measured without their text. The measure is the number of tokens that a server counts in the text.
import { builtInContract } from "@roundtrip/contract";
import { parse, Lexer, Source, TokenKind } from "graphql";
import { expect, test } from "vitest";
import { drawings } from "../../stacks/test/support/drawings.ts";
import { chainOfCycles, clique, contractOfGraph, layers, ring } from "../../../bench/test/support/type-graph.ts";
import { levelsOf } from "../src/graphql/documents/levels.ts";
import { answerDepth, SelectionWriter } from "../src/graphql/documents/selection.ts";
import { graphqlModel } from "../src/graphql/schema/model.ts";

function tokensIn(text: string): number {
  parse(text);
  const lexer = new Lexer(new Source(text));
  let count = 0;
  while (lexer.advance().kind !== TokenKind.EOF) count += 1;
  return count;
}

test.each([
  { name: "the built-in contract", contract: builtInContract() },
  { name: "oneofs, maps and groups", contract: drawings },
  { name: "a ring", contract: contractOfGraph(ring(5)) },
  { name: "types that all contain each other", contract: contractOfGraph(clique(4)) },
  { name: "cycles behind each other", contract: contractOfGraph(chainOfCycles(4)) },
  { name: "layers", contract: contractOfGraph(layers(4, 3)) },
])("measures selections of $name as they are written", ({ contract }) => {
  const model = graphqlModel(contract);
  const outputs = new Set(contract.operations.map(({ output }) => output).filter(({ fields }) => fields.length > 0));
  const different = [...outputs].flatMap((output) =>
    [1, 2, 3].flatMap((perCycle) => {
      const levels = levelsOf(model, perCycle);
      const writer = new SelectionWriter(model, levels, "");
      const position = levels.first(output, answerDepth);
      writer.announce(position, Number.POSITIVE_INFINITY);
      const written = tokensIn(`${writer.write(position)}${writer.fragments}`);
      return written === writer.tokens ? [] : [`${output.name} ${perCycle}: ${written} tokens, not ${writer.tokens}`];
    }),
  );
  expect(outputs.size).toBeGreaterThan(0);
  expect(different).toEqual([]);
});
