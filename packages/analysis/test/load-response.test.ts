// The sentence about loads: the highest rate that every stack serves, and what a model had said; comparisons are of calls that come alone.
import { expect, it } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import type { Arm, ArmLoad } from "../src/run/run-facts.ts";
import { armFor, factsOf, loadedBlock, samplesOf } from "./synthetic-run.ts";

const open: ArmLoad = { loop: "open", pacer: "poisson" };
const stacks = [
  { stack: "grpc-js", title: "gRPC", demandMs: 4 },
  { stack: "rest-express", title: "REST", demandMs: 6 },
];
const rates = [50, 100, 200];
const tasks = 20;

/** Calls take 10 ms alone, and a tenth of the rate in ms under load. */
function findings() {
  const arms = stacks.flatMap(({ stack, title }): readonly Arm[] => [
    armFor({ study: "load-rates", task: "power", stack, title, variant: "single" }),
    ...rates.map((rateHz) =>
      armFor({
        study: "load-rates",
        task: "power",
        stack,
        title,
        variant: "single",
        load: open,
        factors: { arrivals: "poisson", rateHz },
      }),
    ),
  ]);
  const calls = arms.flatMap(({ factors }, arm) =>
    Array.from({ length: tasks }, (_, task) => {
      const startMs = 100 * task;
      const lastsMs = factors["rateHz"] === undefined ? 10 : Number(factors["rateHz"]) / 10;
      return { arm, round: 0, block: arm, task, step: 0, startMs, endMs: startMs + lastsMs };
    }),
  );
  const blocks = arms.map(({ id: armId, stack }, block) => {
    const demandMs = stacks.find((one) => one.stack === stack)?.demandMs ?? 0;
    return loadedBlock({ armId, block, tasks, serverCpuMs: tasks * demandMs });
  });
  return analyse(factsOf(arms, 1, blocks), samplesOf(calls)).findings;
}

it("reports response times at the highest rate that is below what each stack's server can do, and what M/G/1 said", () => {
  const found = findings().filter(({ code }) => code === "load-response");
  // At 200 a second REST would need 120 % of a processor.
  expect(found.map(({ sentence }) => sentence)).toEqual([
    "At 100 arrivals a second, 40 % and 60 % of what one processor can do, one power call took 10 ms over gRPC and 10 ms over REST; M/G/1 said 11.3 ms and 14.5 ms.",
  ]);
});

it("compares no calls that came under a load with each other", () => {
  const others = findings().filter(({ code }) => code !== "load-response");
  expect(others.length).toBeGreaterThan(0);
  expect(others.map(({ sentence }) => sentence).join()).not.toContain("rateHz");
});
