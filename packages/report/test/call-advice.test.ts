// From how many attributes on the first screen advises one façade call, and how far its computed distances and its next step go.
import { analyse } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { armFor, syntheticRun } from "../../analysis/test/synthetic-run.ts";
import { whatFollows } from "../src/words/what-follows.ts";
import { defaultInput } from "./support/fixture.ts";
import { rablou2010 } from "./support/published.ts";

function latencyMs({ variant, factors }: Arm, round: number): number {
  const costMs = variant === "facade" ? 1 + 0.1 * Number(factors["fields"]) : 1.95 * Number(factors["attributes"]);
  return costMs * (1 + Math.sin(round + variant.length) / 1_000);
}

test("a façade of one attribute that is slower for 18 fields gives no count of attributes", () => {
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
    expect.objectContaining({ kind: "break-even", factor: "fields", facadeAt: [2, 9], otherAt: [18], from: null }),
  );
  expect(whatFollows({ facts, analysis })[0]).toMatch(
    /^Call the façade where 2 attributes or more are needed: 6 calls /,
  );
});

test.each([
  [100, "Any style will do from 100 ms on"],
  [101, undefined],
])("a difference that ends at %s ms is given as far as distances are computed", (sameFromMs, text) => {
  const { facts, analysis } = defaultInput();
  const claims = analysis.claims.map((claim) => (claim.kind === "distance" ? { ...claim, sameFromMs } : claim));
  const advice = whatFollows({ facts, analysis: { ...analysis, claims } }).join(" ");
  expect(/Any style will do from \S+ ms on/.exec(advice)?.[0]).toBe(text);
});

test("a run over several distances has no network study as its next step", () => {
  const { facts, analysis } = defaultInput();
  const nextFor = (rttMs: number) => {
    const arms = [1, rttMs].map((each) =>
      armFor({ study: "linked", stack: "rest-express", variant: "facade", factors: { rttMs: each } }),
    );
    return whatFollows({ facts: { ...facts, arms }, analysis }).at(-1);
  };
  expect(nextFor(20)).toContain('Next: "bench load-rates" for load.');
  expect(nextFor(1)).toContain('Next: "bench network" for 1 to 200 ms.');
});

test("a run from which nothing follows points to the published claims that it judges", () => {
  const { facts, analysis } = defaultInput();
  const silent = { facts: { ...facts, arms: [] }, analysis: { ...analysis, arms: [], claims: [], summaries: [] } };
  expect(whatFollows(silent)[0]).toBe("Nothing can be concluded from this run.");
  const decides = { kind: "ratio", of: {}, to: {} } as const;
  const published = [{ ...rablou2010, claims: [{ found: "it was so", test: decides }] }];
  expect(whatFollows({ ...silent, published })[0]).toMatch(/^What was published is judged below; /);
});
