// What the first screen advises on ways to read linked data, from runs whose times are known.
import { analyse } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { armFor, syntheticRun } from "../../analysis/test/synthetic-run.ts";
import { selectionAdvice } from "../src/words/selection-advice.ts";
import { adviceOfWays } from "../src/words/ways-advice.ts";
import { whatFollows } from "../src/words/what-follows.ts";

const stacks = [
  { stack: "graphql-apollo", title: "GraphQL", variants: ["facade", "whole", "fine", "query"] },
  { stack: "rest-express", title: "REST", variants: ["facade", "whole", "fine"] },
];

/** Times of a variant in a round. A façade takes 1 ms and 0.1 ms for each field, `whole` 3 ms. */
interface Times {
  readonly queryMs: (fields: number) => number;
  readonly fineMs?: (round: number) => number;
  readonly rounds?: number;
}

function analysisOf({ queryMs, fineMs = () => 20, rounds = 6 }: Times) {
  const arms = stacks.flatMap(({ stack, title, variants }) =>
    variants.flatMap((variant) =>
      [2, 9, 18].map((fields) => armFor({ study: "linked", stack, title, variant, factors: { fields } })),
    ),
  );
  const latencyMs = ({ variant, factors }: Arm, round: number): number => {
    const fields = Number(factors["fields"]);
    const times: Readonly<Record<string, number>> = {
      facade: 1 + 0.1 * fields,
      whole: 3,
      fine: fineMs(round),
      query: queryMs(fields),
    };
    return (times[variant] ?? 0) * (1 + Math.sin(round + variant.length) / 1_000);
  };
  const { facts, samples } = syntheticRun(arms, { rounds, blocksPerRound: 2, tasksPerBlock: 3 }, latencyMs);
  return { facts, analysis: analyse(facts, samples) };
}

const likeTwoFacades = (count: number): number => 2 * (1 + 0.1 * count);

test("calls the façade and compares a query with that of every style", () => {
  const [ways, query, ...others] = adviceOfWays(analysisOf({ queryMs: likeTwoFacades }));
  expect(ways).toMatch(/^Call the façade for .*for 18 fields; in its times: calls one after the other 7\.1\d ×\.$/);
  expect(query).toMatch(/^One query over edges instead of a façade, .*: 2\.00 × \(.*\) against GraphQL and REST\.$/);
  expect(others).toEqual([]);
});

function waysFor(fineMs: (round: number) => number): string | undefined {
  return adviceOfWays(analysisOf({ queryMs: likeTwoFacades, fineMs }))[0];
}

test("calls no façade that another way beats, or that nothing is known to be slower than", () => {
  expect(waysFor(() => 1)).toMatch(/^For one .*, in times of the façade: calls one after the other 0\.36 ×\.$/);
  expect(waysFor((round) => 2.8 * (1 + 0.4 * Math.sin(2 * round)))).toMatch(
    /^Which way is best for one .*: cannot tell\.$/,
  );
});

test("one round gives no advice but to take more, and no open claim as an answer", () => {
  const run = analysisOf({ queryMs: likeTwoFacades, rounds: 1 });
  expect(adviceOfWays(run)).toEqual([]);
  const [first, last, ...others] = whatFollows(run);
  expect(first).toMatch(/^Too few rounds to rank for .*: take 6 or more\./);
  expect(last).toMatch(/^Not looked at: /);
  expect(others).toEqual([]);
});

test("gives the share of time and bytes of an answer with some fields, of the fewest", () => {
  const { analysis } = analysisOf({ queryMs: likeTwoFacades });
  expect(selectionAdvice({ analysis })).toEqual([
    expect.stringMatching(
      /^Asking for some fields instead of all, .* for 2 fields: GraphQL 0\.40 × \(.*\); REST 0\.40 × \(.*\)\.$/,
    ),
  ]);
  expect(selectionAdvice(analysisOf({ queryMs: likeTwoFacades, rounds: 1 }))).toEqual([]);
});

test("says where a query is as good as a façade, and has no advice without one", () => {
  const [, query] = adviceOfWays(analysisOf({ queryMs: (count) => 1 + 0.1 * count }));
  expect(query).toContain("the same within 2 % against GraphQL and REST");
  const { facts, samples } = syntheticRun(
    [armFor({ stack: "rest-express", title: "REST", variant: "facade" })],
    { rounds: 6, blocksPerRound: 2, tasksPerBlock: 3 },
    () => 1,
  );
  expect(adviceOfWays({ analysis: analyse(facts, samples) })).toEqual([]);
});

test("compares pages and batches with a stream of single messages, not with a façade", () => {
  const arms = ["stream", "batched-10", "pages"].map((variant) =>
    armFor({
      study: "streaming",
      task: "list",
      stack: "grpc-js",
      title: "gRPC",
      variant,
      callsPerTask: variant === "pages" ? 5 : 1,
    }),
  );
  const { facts, samples } = syntheticRun(
    arms,
    { rounds: 6, blocksPerRound: 2, tasksPerBlock: 3 },
    ({ variant }, round) =>
      ({ stream: 10, "batched-10": 5, pages: 20 })[variant as "stream"] *
      (1 + Math.sin(round + variant.length) / 1_000),
  );
  const [ways] = whatFollows({ facts, analysis: analyse(facts, samples) });
  expect(ways).toBe(
    "For one list, in times of a stream of single messages: a stream of batches of 10 0.50 ×; pages one after the other 2.00 ×.",
  );
});
