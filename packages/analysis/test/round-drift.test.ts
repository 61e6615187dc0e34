// What a run says of latency that moves inside its rounds: as much as is there, and nothing where nothing is.
import { assert, double, nat, property } from "fast-check";
import { expect, test } from "vitest";
import { analyse, analyseDefaults } from "../src/analyse/analyse.ts";
import { type RoundDrift, roundDrifts } from "../src/warnings/round-drift.ts";
import { randomFrom } from "../src/statistics/random.ts";
import { tasksOf } from "../src/calls/tasks-of.ts";
import { armFor, factsOf, loadedBlock, samplesOf } from "./synthetic-run.ts";

const stacks = ["grpc-js", "rest-express"];
const arms = stacks.flatMap((stack) =>
  [1, 2, 3, 4, 5, 6].map((attributes) => armFor({ stack, variant: "facade", factors: { attributes } })),
);

/** Six rounds of all arms in an order that the seed draws; latency moves by `drift[stack]` over a round, with a few per cent of noise. */
function runWith(seed: number, drift: Readonly<Record<string, number>>) {
  const random = randomFrom(seed, "order");
  const calls = [0, 1, 2, 3, 4, 5].flatMap((round) => {
    const order = arms.map((_, arm) => ({ arm, at: random() })).toSorted((one, other) => one.at - other.at);
    const weather = 1 + random() / 5;
    return order.map(({ arm }, block) => {
      const { stack, factors } = arms[arm] ?? armFor({ stack: "", variant: "" });
      const moved = (drift[stack] ?? 1) ** (block / (arms.length - 1));
      const noise = 0.98 + 0.04 * random();
      const endMs = Number(factors["attributes"]) * weather * moved * noise;
      return { arm, round, block, task: 0, step: 0, startMs: 0, endMs };
    });
  });
  return { facts: factsOf(arms, 6), samples: samplesOf(calls) };
}

function warningsFor(seed: number, drift: Readonly<Record<string, number>>): readonly string[] {
  const { facts, samples } = runWith(seed, drift);
  return analyse(facts, samples, analyseDefaults)
    .warnings.filter(({ code }) => code === "drift")
    .map(({ message }) => message);
}

const of = (drifts: readonly RoundDrift[], stack: string) => drifts.find((drift) => drift.stack === stack);

test("a drift is measured whatever the arms cost and whatever the order: the interval holds what was put in", () => {
  let held = 0;
  const runs = 40;
  assert(
    property(nat(), double({ min: 0.6, max: 1.3, noNaN: true }), (seed, drift) => {
      const { facts, samples } = runWith(seed, { "grpc-js": drift });
      const found = of(roundDrifts(arms, tasksOf(facts, samples), [0, 1, 2, 3, 4, 5], seed), "grpc-js");
      expect(Math.abs(Math.log((found?.ratio ?? 0) / drift))).toBeLessThan(0.06);
      held += (found?.low ?? 2) <= drift && drift <= (found?.high ?? 0) ? 1 : 0;
    }),
    { numRuns: runs, seed: 7 },
  );
  expect(held).toBeGreaterThanOrEqual(0.9 * runs);
});

test("a clear drift beyond 5 % is a warning that names the stacks, their figures and what it does to ratios", () => {
  expect(warningsFor(3, { "grpc-js": 0.8 })).toEqual([
    expect.stringMatching(
      /^from the first block of a round to the last, latency fell by (19|20|21) % over grpc-js \(95 % interval 1\d to 2\d %\): warm-up had not come to its end\. .* here up to 1[0-3] %$/,
    ),
  ]);
});

test("void arms, whose client had no time left, do not count in the drift of their stack", () => {
  const load = { loop: "open", pacer: "poisson", mostInFlight: 500 } as const;
  const { facts, samples } = runWith(1, { "grpc-js": 0.7 });
  const loaded = facts.arms.map((arm) => (arm.stack === "grpc-js" ? { ...arm, load } : arm));
  const driftsWith = (clientUtilisation: number) => {
    const blocks = loaded.map(({ id: armId }, block) =>
      loadedBlock({ armId, block, tasks: 1, serverCpuMs: 1, clientUtilisation }),
    );
    return analyse({ ...facts, arms: loaded, blocks }, samples, analyseDefaults).drifts;
  };
  expect(of(driftsWith(0.5), "grpc-js")?.ratio).toBeLessThan(0.8);
  expect(of(driftsWith(0.99), "grpc-js")).toBeUndefined();
  expect(of(driftsWith(0.99), "rest-express")).toBeDefined();
});
