// Throughput of two drivers on one server: what is said of it, and when it is a warning.
import { describe, expect, test } from "vitest";
import { analyse, type Analysis } from "../src/analyse/analyse.ts";
import type { Block } from "@roundtrip/runs";
import { armFor, factsOf, samplesOf } from "./synthetic-run.ts";

const rounds = 6;
const own = armFor({
  study: "saturation",
  task: "hello",
  stack: "rest",
  title: "REST",
  variant: "own-driver",
  factors: { callers: 10 },
});
const witness = { ...own, id: "saturation/hello/rest/autocannon", variant: "autocannon" };

/** A run in which the two drivers carried so many calls a second. */
function analysisOf(ownPerSecond: number, witnessPerSecond: number): Analysis {
  const blocks = Array.from({ length: rounds }, (_, round) =>
    [own, witness].map((arm, block): Block => {
      const elapsedMs = 1e6 / (arm === own ? ownPerSecond : witnessPerSecond);
      const books = { failedCalls: 0, serverCpuMs: 1, clientCpuMs: 1, wireBytes: 1, connectionsOpened: 0 };
      return {
        armId: arm.id,
        round,
        block,
        tasks: 1_000,
        calls: 1_000,
        elapsedMs: elapsedMs * (1 + round / 1_000),
        ...books,
      };
    }),
  ).flat();
  const calls = blocks.map((block) => ({
    arm: block.armId === own.id ? 0 : 1,
    round: block.round,
    block: block.block,
    task: 0,
    step: 0,
    startMs: 0,
    endMs: 1,
  }));
  return analyse(factsOf([own, witness], rounds, blocks), samplesOf(calls));
}

function warningsOf(analysis: Analysis): readonly string[] {
  return analysis.warnings.filter(({ code }) => code === "drivers-disagree").map(({ message }) => message);
}

describe("saturation", () => {
  test("drivers within a tenth of each other agree", () => {
    expect(warningsOf(analysisOf(10_000, 9_200))).toEqual([]);
    expect(warningsOf(analysisOf(10_000, 10_900))).toEqual([]);
  });

  test("drivers further apart are a warning that names the stack and the ratio, whichever is the slower", () => {
    expect(warningsOf(analysisOf(10_000, 8_500))).toEqual([
      expect.stringContaining("REST: autocannon measured 0.85 ×"),
    ]);
    expect(warningsOf(analysisOf(10_000, 11_500))).toEqual([
      expect.stringContaining("REST: autocannon measured 1.15 ×"),
    ]);
  });
});
