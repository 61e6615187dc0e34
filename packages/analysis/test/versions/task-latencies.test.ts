// Tails and means of two versions: named when they moved by more than their own interval, whichever metrics are judged.
import { compareRuns, compareVersions, gatherCalls, gateRoundsOf } from "@roundtrip/analysis";
import type { Block } from "@roundtrip/runs";
import { gateDefaults, judge } from "@roundtrip/analysis/gate";
import { describe, expect, it } from "vitest";
import { factsOf, loadedBlock, samplesOf, type Call } from "../synthetic-run.ts";
import { hello } from "./two-versions.ts";

const rounds = 10;
const tasks = 100;

const both = [hello("rest-express", { version: "base" }), hello("rest-express", { version: "head" })];
const one = [hello("rest-express")];

/** A small deterministic scatter of up to 2 % between rounds and 10 % between calls. */
function scatter(round: number, task: number, arm: number): number {
  return 1 + 0.02 * Math.sin(7 * round + 3 * arm) + 0.1 * Math.sin(task * 12.9898 + round * 78.233 + arm);
}

type Latency = (isHead: boolean, task: number) => number;

function runOf(arms: typeof both, latency: Latency, isHead: (arm: number) => boolean) {
  const calls: Call[] = [];
  const blocks: Block[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, arm] of arms.entries()) {
      for (let task = 0; task < tasks; task += 1) {
        const endMs = latency(isHead(index), task) * scatter(round, task, index);
        calls.push({ arm: index, round, block: index, task, step: 0, startMs: 0, endMs });
      }
      blocks.push(loadedBlock({ armId: arm.id, round, block: index, tasks, serverCpuMs: tasks }));
    }
  }
  const facts = factsOf(arms, rounds, blocks);
  return { facts, calls: gatherCalls(facts, samplesOf(calls)) };
}

const metrics = { both: undefined, cpu: ["serverCpuMsPerTask"] } as const;

function sideBySide(latency: Latency, judged: keyof typeof metrics) {
  const run = runOf(both, latency, (arm) => arm === 1);
  const judgement = judge(gateRoundsOf(run.facts, run.calls, metrics[judged]), gateDefaults);
  const versions = { base: { label: "main" }, head: { label: "HEAD" } };
  const rest = { confirmation: null, isOutOfTime: false, doubts: [], warnings: [] };
  return compareVersions({ ...versions, ...run, judgement, settings: gateDefaults, ...rest });
}

function twoRuns(latency: Latency) {
  const run = (name: string, isHead: boolean) => ({
    version: { label: name },
    ...runOf(one, latency, () => isHead),
  });
  return compareRuns(run("monday", false), run("friday", true));
}

const cases: readonly (readonly [string, Latency, readonly string[]])[] = [
  ["nothing", () => 2, []],
  ["one call in 100 takes 10 ms more", (isHead, task) => (isHead && task === 7 ? 12 : 2), ["mean"]],
  ["three calls in 100 take 10 ms more", (isHead, task) => (isHead && task % 33 === 1 ? 12 : 2), ["mean", "p99"]],
  ["three calls in 100 take 10 ms less", (isHead, task) => (!isHead && task % 33 === 1 ? 12 : 2), ["mean", "p99"]],
  ["every call takes a fifth more", (isHead) => (isHead ? 2.4 : 2), ["mean", "p99"]],
  ["every call takes a hundredth more", (isHead) => (isHead ? 2.02 : 2), []],
];

describe("a mean or p99 that moved", () => {
  it.each(cases)("is named if %s", (_name, latency, moved) => {
    for (const comparison of [sideBySide(latency, "both"), sideBySide(latency, "cpu"), twoRuns(latency)]) {
      expect(comparison.latencies).toHaveLength(1);
      const [found] = comparison.latencies;
      const named = found?.moved.map(({ statistic }) => statistic);
      // One call in a hundred stands at the edge of the 99th percentile, which may move or not.
      expect(named?.filter((name) => name === "mean" || moved.includes("p99"))).toEqual(moved);
      for (const { ratio, low, high } of found?.moved ?? []) {
        expect(low).toBeLessThan(ratio);
        expect(high).toBeGreaterThan(ratio);
        expect(low > 1 || high < 1).toBe(true);
      }
    }
  });

  it("changes no verdict: that rests on medians and processor time", () => {
    const { verdict, latencies } = sideBySide((isHead, task) => (isHead && task % 33 === 1 ? 12 : 2), "both");
    expect(verdict).toBe("pass");
    expect(latencies[0]?.moved).not.toEqual([]);
    expect(latencies[0]?.head.p99).toBeGreaterThan(3 * (latencies[0]?.base.p99 ?? Infinity));
  });
});
