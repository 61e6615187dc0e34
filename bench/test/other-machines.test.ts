// What is asked of the default bench on other machines, and that such a machine leaves nothing behind.
import { statIfReadable } from "@roundtrip/runner/lifetime";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { needing } from "../../.ci/needs/needing.ts";
import { targetResult } from "../self/measure.ts";
import { figuresOf, type BenchRun } from "../self/measures/other-machines.ts";
import { machineOf } from "../self/other-machines/conditions.ts";
import { compareHeadlines, type HeadlineComparison } from "../self/other-machines/headline-comparisons.ts";

const whole: BenchRun = {
  elapsedMs: 58_000,
  roundsPlanned: 6,
  roundsDone: 6,
  cellsLeftOut: 0,
  expected: 3,
  unclear: [],
  wrong: [],
};

function missedBy(runs: readonly BenchRun[]): readonly string[] {
  return figuresOf("slow", runs)
    .filter((figure) => targetResult(figure) === "missed")
    .map(({ of }) => of);
}

test("nine of ten runs have to be whole and within a minute", () => {
  const nine = Array.from({ length: 9 }, () => whole);
  expect(missedBy([...nine, { ...whole, roundsDone: 5 }])).toEqual([]);
  const late = { ...whole, elapsedMs: 60_001 };
  expect(missedBy([...nine.slice(1), late, late])).toEqual([
    "slow: share of 10 runs with fewer rounds, or longer than a minute",
  ]);
});

test("one leading ratio that is not clear, or has the wrong sign, is too many", () => {
  expect(missedBy([whole, { ...whole, unclear: ["hello"] }])).toEqual([
    "slow: of 6 leading ratios from 1.3, not clear (hello in 1)",
  ]);
  expect(missedBy([whole, { ...whole, wrong: ["hello"] }])).toEqual(["slow: leading ratios with the wrong sign"]);
});

test("a ratio from 1.3 in the reference has to be clear with the same sign, a smaller one must not be clear with the other", () => {
  const reference: readonly HeadlineComparison[] = [
    { name: "large", ratio: 0.7, isClear: true },
    { name: "small", ratio: 1.1, isClear: true },
  ];
  const run = (large: Partial<HeadlineComparison>, small: Partial<HeadlineComparison>): readonly HeadlineComparison[] =>
    [large, small].map((changes, index) => ({ name: "", ratio: 1, isClear: false, ...reference[index], ...changes }));
  expect(compareHeadlines(reference, run({}, { isClear: false }))).toEqual({ expected: 1, unclear: [], wrong: [] });
  expect(compareHeadlines(reference, run({ isClear: false }, {}))).toMatchObject({ unclear: ["large"], wrong: [] });
  expect(compareHeadlines(reference, run({ ratio: 1.4 }, { ratio: 0.9 }))).toMatchObject({
    unclear: ["large"],
    wrong: ["large", "small"],
  });
  expect(compareHeadlines(reference, [])).toMatchObject({ unclear: ["large"], wrong: [] });
});

/** Processes that burn a core for this one, by the kernel's books. */
function burners(): number {
  return readdirSync("/proc").filter((pid) => {
    try {
      return (
        statIfReadable(Number(pid))?.parent === process.pid &&
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("burner.ts")
      );
    } catch {
      return false;
    }
  }).length;
}

test("a busy machine is quiet again when it is disposed of", await needing("linux"), async () => {
  {
    using machine = machineOf("burning");
    expect(machine.how).toBe("one competitor on each core");
    expect(burners()).toBeGreaterThan(0);
  }
  const until = performance.now() + 5_000;
  while (burners() > 0 && performance.now() < until) await setTimeout(20);
  expect(burners()).toBe(0);
});
