// What the first screen advises on ways to read linked data, from runs whose times are known.
import { analyse } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { armFor, syntheticRun } from "../../analysis/test/synthetic-run.ts";
import { adviceOfWays } from "../src/words/ways-advice.ts";

const stacks = [
  { stack: "graphql-apollo", title: "GraphQL", variants: ["facade", "whole", "fine", "query"] },
  { stack: "rest-express", title: "REST", variants: ["facade", "whole", "fine"] },
];

/** @param queryMs of a query for so many fields; a façade takes 1 ms and 0.1 ms for each, `whole` 3 ms, `fine` 20 ms */
function adviceFor(queryMs: (fields: number) => number): readonly string[] {
  const arms = stacks.flatMap(({ stack, title, variants }) =>
    variants.flatMap((variant) =>
      [2, 9, 18].map((fields) => armFor({ study: "linked", stack, title, variant, factors: { fields } })),
    ),
  );
  const timesOf = (fields: number): Readonly<Record<string, number>> => ({
    facade: 1 + 0.1 * fields,
    whole: 3,
    fine: 20,
    query: queryMs(fields),
  });
  const latencyMs = ({ variant, factors }: Arm, round: number): number =>
    (timesOf(Number(factors["fields"]))[variant] ?? 0) * (1 + Math.sin(round + variant.length) / 1_000);
  const { facts, samples } = syntheticRun(arms, { rounds: 6, blocksPerRound: 2, tasksPerBlock: 3 }, latencyMs);
  return adviceOfWays({ analysis: analyse(facts, samples) });
}

test("calls the façade, compares a query with that of every style, and prices fields", () => {
  const [ways, query, fields] = adviceFor((count) => 2 * (1 + 0.1 * count));
  expect(ways).toMatch(
    /^Call the façade for .*for 18 fields; in its times: one call for all fields 1\.07 ×; calls one after the other 7\.1/,
  );
  expect(query).toMatch(/^One query over edges instead of a façade, .*: 2\.00 × \(.*\) against GraphQL and REST\.$/);
  expect(fields).toMatch(/^A field that is read and not needed costs 100 µs \(.*\) over GraphQL and REST\.$/);
});

test("says where a query is as good as a façade, and has no advice without one", () => {
  expect(adviceFor((count) => 1 + 0.1 * count)[1]).toContain("the same within 2 % against GraphQL and REST");
  const { facts, samples } = syntheticRun(
    [armFor({ stack: "rest-express", title: "REST", variant: "facade" })],
    { rounds: 6, blocksPerRound: 2, tasksPerBlock: 3 },
    () => 1,
  );
  expect(adviceOfWays({ analysis: analyse(facts, samples) })).toEqual([]);
});
