// Which stacks are compared when a run has several of one style, and what their intervals are simultaneous with.
import { describe, expect, it } from "vitest";
import { comparePairs } from "../../src/comparison/compare-run.ts";
import { pairsOf } from "../../src/comparison/pairs-of.ts";
import { armFor } from "../synthetic-run.ts";

const arm = (style: string, server: string, client: string) =>
  armFor({ stack: `${style}-${server}+${client}`, style, server, client, variant: "facade" });

const rest = ["express", "fastify", "node-http"].flatMap((server) =>
  ["undici", "fetch"].map((client) => arm("rest", server, client)),
);
const arms = [arm("graphql", "apollo", "undici"), arm("grpc", "grpc-js", "grpc-js"), ...rest];

function names(compared: typeof arms): readonly string[] {
  return pairsOf(compared).map(({ numerator, denominator }) => `${numerator.stack} / ${denominator.stack}`);
}

describe("stacks", () => {
  it("are compared across styles by one stack each, within a style in one library", () => {
    expect(names(arms)).toEqual([
      "graphql-apollo+undici / grpc-grpc-js+grpc-js",
      "graphql-apollo+undici / rest-express+undici",
      "grpc-grpc-js+grpc-js / rest-express+undici",
      "rest-express+undici / rest-express+fetch",
      "rest-express+undici / rest-fastify+undici",
      "rest-express+fetch / rest-fastify+fetch",
      "rest-fastify+undici / rest-fastify+fetch",
      "rest-express+undici / rest-node-http+undici",
      "rest-express+fetch / rest-node-http+fetch",
      "rest-node-http+undici / rest-node-http+fetch",
    ]);
  });

  it("that have no library in common are compared all the same where nothing lies between them", () => {
    expect(names([arm("rest", "express", "undici"), arm("rest", "fastify", "fetch")])).toEqual([
      "rest-express+undici / rest-fastify+fetch",
    ]);
  });

  it("have intervals simultaneous over the comparisons that are shown, not over all pairs that exist", () => {
    const turnsOf = new Map(
      arms.map(({ id }, index) => [
        id,
        Array.from({ length: 6 }, (_, round) => new Map([[0, 1 + index + ((round * 7 + index) % 5) / 100]])),
      ]),
    );
    const { comparisons } = comparePairs(pairsOf(arms), turnsOf, 1);
    expect(comparisons).toHaveLength(10);
    expect(new Set(comparisons.map(({ familySize }) => familySize))).toEqual(new Set([10]));
  });
});
