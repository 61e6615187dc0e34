// The answers of a run under load: from which rate on calls take twice as long as alone, and what a setting of the service buys.
import { assert, constantFrom, double, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import { mg1DoublingHz } from "../src/load/doubling-rate.ts";
import { mg1 } from "../src/models.ts";
import type { Arm, ArmLoad, Scalar } from "../src/run/run-facts.ts";
import { armFor, factsOf, loadedBlock, syntheticRun } from "./synthetic-run.ts";

const open: ArmLoad = { loop: "open", pacer: "poisson" };
const rates = [100, 200, 400];
const stacks = [
  { stack: "rest-express", title: "REST" },
  { stack: "grpc-js", title: "gRPC" },
];
const tasks = 20;

type Factors = Readonly<Record<string, Scalar>>;

function armsOf(study: string, factors: Factors): readonly Arm[] {
  return stacks.flatMap((about) => {
    const common = { ...about, study, task: "power", variant: "single" } as const;
    const loaded = rates.map((rateHz) =>
      armFor({ ...common, load: open, factors: { ...factors, arrivals: "poisson", rateHz } }),
    );
    return [armFor({ ...common, factors }), ...loaded];
  });
}

/** @param responseMs by rate, 0 for a lone caller. @param elapsedMs of a block of 20 tasks */
function findings(
  arms: readonly Arm[],
  responseMs: (rateHz: number, round: number) => number,
  elapsedMs: (arm: Arm) => number = () => 500,
  rounds = 6,
): readonly { readonly code: string; readonly study: string; readonly sentence: string }[] {
  const run = syntheticRun(arms, { rounds, blocksPerRound: 1, tasksPerBlock: tasks }, ({ factors }, round) =>
    responseMs(Number(factors["rateHz"] ?? 0), round),
  );
  const blocks = Array.from({ length: rounds }, (_, round) =>
    arms.map((arm, block) => ({
      ...loadedBlock({ armId: arm.id, block, tasks, serverCpuMs: tasks * 2 }),
      round,
      elapsedMs: elapsedMs(arm),
    })),
  );
  return analyse(factsOf(arms, rounds, blocks.flat()), run.samples).findings;
}

describe("the rate from which on calls take twice as long as alone", () => {
  it("is where the means of rounds cross that, with the interval over rounds, beside M/G/1's", () => {
    const all = findings(armsOf("load-rates", {}), (rateHz, round) =>
      rateHz === 400 ? 40 : (rateHz === 200 ? 5 : 4) * (1 + round / 100),
    );
    const [found, ...more] = all.filter(({ code }) => code === "response-doubling");
    expect(more).toEqual([]);
    // From 5 ms at 200 to 40 at 400: 8 ms is at 245. Constant work of 2 ms in a response of 4: M/G/1 doubles at 400.
    expect(found?.sentence).toMatch(
      /^One power call takes twice as long as alone from 24\d arrivals a second on over REST \(95 % interval 24\d to 24\d\) and 24\d over gRPC \(24\d to 24\d\); M\/G\/1 had it at 40\d and 40\d\.$/,
    );
  });

  it("is beyond what was measured where it did not double, and that is said", () => {
    const [found] = findings(armsOf("load-rates", {}), () => 4).filter(({ code }) => code === "response-doubling");
    expect(found?.sentence).toContain(
      "as long as alone not yet at the most that was kept, 400 over REST and 400 over gRPC;",
    );
  });

  it("is reported without an interval where rounds are few", () => {
    const arms = armsOf("load-rates", {});
    const all = findings(arms, (rateHz) => (rateHz === 400 ? 40 : rateHz === 200 ? 5 : 4), undefined, 3);
    const [found] = all.filter(({ code }) => code === "response-doubling");
    expect(found?.sentence).toContain("from 245 arrivals a second on over REST and 245 over gRPC; M/G/1");
  });

  it("is, by M/G/1, the rate at which its wait is as long as the call", () => {
    const demands = record({
      responseMs: double({ min: 0.1, max: 50, noNaN: true }),
      share: double({ min: 0.05, max: 1, noNaN: true }),
      scv: constantFrom(0, 0.01, 0.3, 1, 3),
    });
    assert(
      property(demands, ({ responseMs, share, scv }) => {
        const demandMs = responseMs * share;
        const rateHz = mg1DoublingHz({ responseMs, demandMs, scv, demandOf: "alone", threads: 1, serviceMs: null });
        expect(mg1({ rateHz, serviceMs: demandMs, serviceScv: scv }).waitingMs / responseMs).toBeCloseTo(1, 9);
      }),
    );
  });
});

function answeredInMs({ factors }: Arm): number {
  return factors["matrix.cache"] === true ? 50 : 100;
}

describe("the gain from a setting of the service", () => {
  it("is reported at the highest rate beside the study without it, stack by stack", () => {
    const arms = [...armsOf("load-cache", { "matrix.cache": true }), ...armsOf("load-rates", {})];
    const found = findings(arms, () => 4, answeredInMs).filter(({ code }) => code === "load-levels");
    expect(found.map(({ study, sentence }) => ({ study, sentence }))).toEqual([
      {
        study: "load-cache",
        sentence:
          "Asked for 400 power calls a second, servers with matrix.cache=true answered 400 (95 % interval 400 to 400) over REST in place of 200 (200 to 200) and 400 (400 to 400) over gRPC in place of 200 (200 to 200).",
      },
    ]);
  });

  it("is reported level by level where the study has several", () => {
    const arms = [1, 4].flatMap((threads) => armsOf("load-threads", { "matrix.threads": threads }).slice(0, 4));
    const [found] = findings(arms, () => 4).filter(({ code }) => code === "load-levels");
    expect(found?.sentence).toBe(
      "Asked for 400 power calls a second, REST answered 40 (95 % interval 40 to 40) with matrix.threads=1 and 40 (40 to 40) with matrix.threads=4, with 8 % of one processor busy.",
    );
  });

  it("is not reported of a study that stands alone", () => {
    const found = findings(armsOf("load-cache", { "matrix.cache": true }), () => 4);
    expect(found.filter(({ code }) => code === "load-levels")).toEqual([]);
  });
});
