// From how many attributes on the first screen advises one façade call.
import { analyse } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { armFor, syntheticRun } from "../../analysis/test/synthetic-run.ts";
import { whatFollows } from "../src/words/what-follows.ts";

function latencyMs({ variant, factors }: Arm, round: number): number {
  const costMs = variant === "facade" ? 1 + 0.1 * Number(factors["fields"]) : 1.95 * Number(factors["attributes"]);
  return costMs * (1 + Math.sin(round + variant.length) / 1_000);
}

test("a façade of one attribute that is faster up to 9 fields gives no count of attributes", () => {
  const arms = [1, 2, 6].flatMap((attributes) =>
    [2, 9, 18].flatMap((fields) =>
      ["facade", "chatty"].map((variant) =>
        armFor({
          stack: "rest-express",
          variant,
          factors: { attributes, fields },
          callsPerTask: variant === "chatty" ? attributes : 1,
        }),
      ),
    ),
  );
  const { facts, samples } = syntheticRun(arms, { rounds: 6, blocksPerRound: 2, tasksPerBlock: 3 }, latencyMs);
  const analysis = analyse(facts, samples);
  expect(analysis.claims).toContainEqual(
    expect.objectContaining({ kind: "break-even", factor: "fields", side: "below", from: 9 }),
  );
  expect(whatFollows({ facts, analysis })[0]).toMatch(
    /^Call the façade where 2 attributes or more are needed: 6 calls /,
  );
});
