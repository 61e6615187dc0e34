// Two run directories beside each other.
import { compareRuns, type MeasuredRun } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { describe, expect, it } from "vitest";
import { cellState } from "../../src/versions/compare-runs.ts";
import { hello, measured, usualCost, type Cost } from "./two-versions.ts";

const [grpc, rest] = [hello("grpc-js"), hello("rest-express")];

/** Rounds that scatter by a few percent, equally in every run. */
const wobble = (round: number): number => 1 + 0.01 * ((round * 7) % 5);

function runOf(arms: readonly Arm[], rounds: number, change: (arm: Arm) => Partial<Cost> = () => ({})): MeasuredRun {
  const run = measured(arms, rounds, (arm, round) => {
    const cost = { ...usualCost, ...change(arm) };
    return {
      ...cost,
      latencyMs: cost.latencyMs * wobble(round),
      serverCpuMs: cost.serverCpuMs * wobble(round + 1),
    };
  });
  return { version: { label: "runs/one" }, ...run };
}

const slowRest = (arm: Arm): Partial<Cost> => (arm.stack === "rest-express" ? { latencyMs: 2.6 } : {});

describe("two runs", () => {
  it("are compared arm by arm, by latency and server CPU, with figures of both and an interval", () => {
    const { cells } = compareRuns(runOf([grpc, rest], 8), runOf([grpc, rest], 9, slowRest));
    expect(cells.map(({ id, state }) => [id, state])).toEqual([
      ["gate/hello/grpc-js/single latencyMs", "not-worse"],
      ["gate/hello/rest-express/single latencyMs", "worse"],
      ["gate/hello/grpc-js/single serverCpuMsPerTask", "not-worse"],
      ["gate/hello/rest-express/single serverCpuMsPerTask", "not-worse"],
    ]);
    const slow = cells[1];
    expect(slow?.ratio).toBeCloseTo(1.3, 2);
    expect(slow?.low).toBeGreaterThan(1.25);
    expect(slow?.high).toBeLessThan(1.35);
    expect(slow?.base.mean).toBeCloseTo(2.04, 2);
    expect(slow).toMatchObject({ rounds: { base: 8, head: 9 }, smallestDetectable: null });
  });

  it("have no verdict: the first thing said is that different jobs are no gate, and why", () => {
    const comparison = compareRuns(runOf([grpc], 8), runOf([grpc], 8));
    expect(comparison).not.toHaveProperty("verdict");
    expect(comparison.warnings[0]).toMatchObject({ code: "different-jobs" });
    expect(comparison.warnings[0]?.message).toContain("41 to 60 %");
  });

  it("with fewer than six rounds have no interval, and it is said which of them has too few", () => {
    const { cells, warnings } = compareRuns(runOf([grpc], 5), runOf([grpc], 8));
    expect(cells[0]).toMatchObject({ low: null, high: null, state: "undecided" });
    expect(warnings.map(({ message }) => message)).toContain(
      "base has 5 complete rounds: an interval needs 6, so there is none",
    );
  });

  it("list arms that only one of them has, and compare the others", () => {
    const attributes = hello("grpc-js", { attributes: 3 });
    const { cells, onlyBase, onlyHead } = compareRuns(runOf([grpc, rest], 6), runOf([rest, attributes], 6));
    expect(new Set(cells.map(({ stack }) => stack))).toEqual(new Set(["rest-express"]));
    expect(onlyBase).toEqual(["gate/hello/grpc-js/single"]);
    expect(onlyHead).toEqual(["gate/hello/grpc-js/single/attributes=3"]);
  });

  it("list what was not the same around them: machine, runtime, generator, libraries, network", () => {
    const run = runOf([grpc], 6);
    const libraries = { express: "5.0.0", graphql: "16.12.0" };
    const base = { ...run, facts: { ...run.facts, environment: { ...run.facts.environment, libraries } } };
    const environment = {
      ...base.facts.environment,
      cpuModel: "another",
      libraries: { express: "5.1.0" },
      link: { kind: "loopback", rttMs: 0.04, mtuBytes: 1500 },
      generators: ["0:1/2", "1/2:1"].map((segment) => ({ name: "k6", version: "v1.8.1", segment })),
    };
    const head = { ...base, facts: { ...base.facts, environment } };
    expect(compareRuns(base, head).environmentDifferences).toEqual([
      { what: "CPU model", base: "test", head: "another" },
      { what: "generator", base: "Node.js clients", head: "k6 v1.8.1, 2 instances" },
      { what: "network", base: "loopback, packets of 65,536 bytes", head: "loopback, packets of 1,500 bytes" },
      { what: "version of express", base: "5.0.0", head: "5.1.0" },
    ]);
  });

  it("report unknown facts of other machines as unknown, not as zeros", () => {
    const base = runOf([grpc], 6);
    const link = { kind: "unknown", rttMs: 0, mtuBytes: 0 };
    const environment = { ...base.facts.environment, cores: 0, memoryGiB: 0, link };
    const head = { ...base, facts: { ...base.facts, environment } };
    const differences = compareRuns(base, head).environmentDifferences;
    expect(differences.map(({ what, head: reported }) => [what, reported])).toEqual([
      ["cores", "unknown"],
      ["memory", "unknown"],
      ["network", "unknown"],
    ]);
  });

  it("list the warnings of each run, common ones once", () => {
    const base = runOf([grpc], 6);
    const end = { name: "server", how: "killed", signal: "SIGKILL" } as const;
    const losing = (...lost: number[]): MeasuredRun => ({
      ...base,
      facts: { ...base.facts, events: lost.map((round) => ({ kind: "round-lost", round, end })) },
    });
    const { warnings } = compareRuns(losing(1, 2), losing(2, 3));
    expect(warnings.slice(1).map(({ message }) => message)).toEqual([
      "base: round 2 was lost: the server process ended by itself (SIGKILL)",
      "both: round 3 was lost: the server process ended by itself (SIGKILL)",
      "head: round 4 was lost: the server process ended by itself (SIGKILL)",
    ]);
  });
});

const changed = (change: Partial<Cost>) =>
  compareRuns(
    runOf([grpc], 6),
    runOf([grpc], 6, () => change),
  );

/** The same run with twice as many blocks, one of which carried 17 bytes that no call asked for. */
function withPing(run: MeasuredRun): MeasuredRun {
  const blocks = run.facts.blocks.flatMap((block, index) => [
    block,
    { ...block, block: block.block + 2, wireBytes: (block.wireBytes ?? 0) + (index === 3 ? 17 : 0) },
  ]);
  return { ...run, facts: { ...run.facts, blocks } };
}

describe("exact counts", () => {
  it("are reported when they change, by a byte or a connection, without statistics", () => {
    expect(changed({ bytes: 301 }).exact).toMatchObject([{ metric: "wireBytesPerTask", base: 300, head: 301 }]);
    expect(changed({ connections: 1 }).exact).toMatchObject([{ metric: "connectionsPerTask", base: 0, head: 1 }]);
    expect(changed({}).exact).toEqual([]);
  });

  it("are those of a task: more calls in it are more round trips, unless they are made at once", () => {
    const six = { ...grpc, callsPerTask: 6, variant: "chatty" };
    const atOnce = { ...six, callsInSequence: 1 };
    const base = runOf([{ ...grpc, variant: "chatty" }], 6);
    const withArm = (arm: Arm): MeasuredRun => {
      const blocks = base.facts.blocks.map((block) => ({ ...block, calls: 6 * block.tasks }));
      return { ...base, facts: { ...base.facts, arms: [arm], blocks } };
    };
    const reported = (arm: Arm) => compareRuns(base, withArm(arm)).exact.map((one) => [one.metric, one.base, one.head]);
    expect(reported(six)).toEqual([
      ["callsPerTask", 1, 6],
      ["roundTripsPerTask", 1, 6],
    ]);
    expect(reported(atOnce)).toEqual([["callsPerTask", 1, 6]]);
  });

  it("are not reported where they vary from round to round: that is said instead", () => {
    const head: MeasuredRun = {
      version: { label: "head" },
      ...measured([grpc], 6, (_, round) => ({ ...usualCost, bytes: 300 + round })),
    };
    const { exact, warnings } = compareRuns(runOf([grpc], 6), head);
    expect(exact).toEqual([]);
    expect(warnings.map(({ code }) => code)).toContain("counts-vary");
  });

  it("are not those of single blocks: one that carried a ping beside its calls hides no change, and makes none", () => {
    const base = runOf([grpc], 6);
    expect(compareRuns(base, withPing(base)).exact).toEqual([]);
    const larger = runOf([grpc], 6, () => ({ bytes: 301 }));
    expect(compareRuns(base, withPing(larger)).exact).toMatchObject([{ metric: "wireBytesPerTask", head: 301 }]);
  });

  it("are not reported for bytes that are not known in one of the runs", () => {
    const base = runOf([grpc], 6);
    const blocks = base.facts.blocks.map((block) => ({ ...block, wireBytes: null }));
    const { exact, warnings } = compareRuns(base, { ...base, facts: { ...base.facts, blocks } });
    expect(exact).toEqual([]);
    expect(warnings.map(({ code }) => code)).not.toContain("counts-vary");
  });
});

const asked = { tolerate: 0.02, detect: 0.05 };

it.each([
  [1.021, 1.2, "worse"],
  [1.021, 1.04, "worse"],
  [1.02, 1.04, "not-worse"],
  [1.02, 1.05, "undecided"],
  [0.9, 1.049, "not-worse"],
  [0.9, 1.05, "undecided"],
  [0.9, 0.981, "not-worse"],
  [0.9, 0.98, "better"],
  [0.5, 2, "undecided"],
  [null, null, "undecided"],
  [null, 0.9, "undecided"],
  [1.1, null, "undecided"],
] as const)("an interval from %d to %d is %s", (low, high, state) => {
  expect(cellState(low, high, asked)).toBe(state);
});
