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
  isEqual: true,
  cellsLeftOut: 0,
  counts: 6,
  hasFloor: true,
  timedShare: 0.6,
  unsettled: 0,
  warmUps: 18,
  expected: 20,
  unclear: [],
  wrong: [],
};

function missedBy(runs: readonly BenchRun[], name: "quiet" | "burning" = "quiet"): readonly string[] {
  return figuresOf(name, "here", runs)
    .filter((figure) => targetResult(figure) === "missed")
    .map(({ of }) => of.replace(`${name} (here): `, ""));
}

test.each([
  { what: "lack a round", worse: { roundsDone: 5 } },
  { what: "have unequal rounds", worse: { isEqual: false } },
  { what: "take longer than a minute", worse: { elapsedMs: 60_001 } },
])("one run in ten may $what, and not two", ({ worse }) => {
  const nine = Array.from({ length: 9 }, () => whole);
  const bad = { ...whole, ...worse };
  expect(missedBy([...nine, bad])).toEqual([]);
  expect(missedBy([...nine.slice(1), bad, bad])).toEqual([
    "share of 10 runs with fewer or unequal rounds, or longer than a minute",
  ]);
});

const two = ["hello", "read"];

test.each([
  { worse: { unclear: two.slice(1) }, quiet: [], burning: [] },
  {
    worse: { unclear: two },
    quiet: ["share of 20 leading ratios from 1.3 that are not clear (hello in 1, read in 1)"],
    burning: [],
  },
  {
    worse: { wrong: ["hello"] },
    quiet: ["leading ratios with the wrong sign"],
    burning: ["leading ratios with the wrong sign"],
  },
  { worse: { counts: 2 }, quiet: ["counts of attributes missing at most"], burning: [] },
  {
    worse: { hasFloor: false },
    quiet: ["runs without the floor of hello"],
    burning: ["runs without the floor of hello"],
  },
  { worse: { timedShare: 0.5 }, quiet: ["share of the time outside timed blocks, median"], burning: [] },
  { worse: { unsettled: 2 }, quiet: ["warm-ups of 18 that did not settle, median"], burning: [] },
] as const)("$worse misses a target on a quiet machine, or on a busy one too", ({ worse, quiet, burning }) => {
  const runs = [{ ...whole, ...worse }];
  expect({ quiet: missedBy(runs), burning: missedBy(runs, "burning") }).toEqual({ quiet, burning });
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
