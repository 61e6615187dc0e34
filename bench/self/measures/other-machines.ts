// Whether the default bench works on other machines: all rounds within a minute, and the right headline.
import { analyse } from "@roundtrip/analysis";
import { readRun } from "@roundtrip/runner";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { join } from "node:path";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";
import { median } from "../median.ts";
import { runProgram } from "../run-program.ts";
import { conditionNames, machineOf, type ConditionName, type EmulatedMachine } from "../other-machines/conditions.ts";
import {
  headlineComparisons,
  compareHeadlines,
  type HeadlineComparison,
  type HeadlineStanding,
} from "../other-machines/headline-comparisons.ts";

export interface BenchRun extends HeadlineStanding {
  readonly elapsedMs: number;
  readonly roundsPlanned: number;
  readonly roundsDone: number;
  readonly cellsLeftOut: number;
}

const mostMs = 60_000;
/** One run in ten may lack a round, or take longer. */
const mostFailing = 0.1;

/** The reference for all runs: quiet, long, and with every cell. */
const referenceBudget = ["--rounds", "20", "--budget", "5m"];

async function headlineComparisonsIn(directory: string): Promise<readonly HeadlineComparison[]> {
  const { facts, samples } = await readRun(directory);
  return headlineComparisons(analyse(facts, samples));
}

async function bench(machine: EmulatedMachine, args: readonly string[], out: string): Promise<number> {
  const { elapsedMs } = await runProgram(["bench", ...args, "--out", out, "--quiet"], machine.enter);
  return elapsedMs;
}

async function referenceFor({ reference, onProgress }: MeasureOptions): Promise<readonly HeadlineComparison[]> {
  if (reference !== undefined) return headlineComparisonsIn(reference);
  onProgress(`the reference, ${referenceBudget.join(" ")}`);
  using directory = temporaryFolder("other-machines");
  using machine = machineOf("quiet");
  const out = join(directory.path, "run");
  await bench(machine, referenceBudget, out);
  // Awaited here, so that the folder is removed only after it was read.
  return await headlineComparisonsIn(out);
}

async function runOn(machine: EmulatedMachine, reference: readonly HeadlineComparison[]): Promise<BenchRun> {
  using directory = temporaryFolder("other-machines");
  const out = join(directory.path, "run");
  const elapsedMs = await bench(machine, [], out);
  const { facts, samples } = await readRun(out);
  const { roundsPlanned, roundsDone, leftOut } = facts;
  const compared = compareHeadlines(reference, headlineComparisons(analyse(facts, samples)));
  return { elapsedMs, roundsPlanned, roundsDone, cellsLeftOut: leftOut?.cells.length ?? 0, ...compared };
}

/** The names of what is not clear, each with the number of its runs; empty if there is none. */
function namesOf(names: readonly string[]): string {
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => `${name} in ${length}`);
  return counts.length === 0 ? "" : ` (${counts.join(", ")})`;
}

export function figuresOf(condition: string, runs: readonly BenchRun[]): readonly Figure[] {
  const plain = { interval: null, atMost: undefined };
  const failing = runs.filter(
    ({ elapsedMs, roundsPlanned, roundsDone }) => elapsedMs > mostMs || roundsDone < roundsPlanned,
  );
  const seconds = runs.map(({ elapsedMs }) => elapsedMs / 1000);
  const sum = (valueOf: (one: BenchRun) => number): number => runs.reduce((all, one) => all + valueOf(one), 0);
  const missing = runs.map(({ roundsPlanned, roundsDone }) => roundsPlanned - roundsDone);
  const expected = sum((one) => one.expected);
  return [
    {
      of: `${condition}: share of ${runs.length} runs with fewer rounds, or longer than a minute`,
      value: failing.length / runs.length,
      interval: null,
      unit: "",
      atMost: mostFailing,
    },
    { of: `${condition}: rounds missing at most`, value: Math.max(0, ...missing), unit: "", ...plain },
    { of: `${condition}: wall time, median`, value: median(seconds), unit: "s", ...plain },
    { of: `${condition}: wall time, longest`, value: Math.max(...seconds), unit: "s", ...plain },
    {
      of: `${condition}: cells left out, median`,
      value: median(runs.map(({ cellsLeftOut }) => cellsLeftOut)),
      unit: "",
      ...plain,
    },
    {
      of: `${condition}: of ${expected} leading ratios from 1.3, not clear${namesOf(runs.flatMap(({ unclear }) => unclear))}`,
      value: sum((one) => one.unclear.length),
      interval: null,
      unit: "",
      atMost: 0,
    },
    {
      of: `${condition}: leading ratios with the wrong sign`,
      value: sum((one) => one.wrong.length),
      interval: null,
      unit: "",
      atMost: 0,
    },
  ];
}

function conditionsOf({ only }: MeasureOptions): readonly ConditionName[] {
  const unknown = only.find((name) => !conditionNames.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`unknown condition "${unknown}": ${conditionNames.join(", ")}`);
  return conditionNames.filter((name) => only.length === 0 || only.includes(name));
}

async function run(options: MeasureOptions): Promise<readonly Figure[]> {
  const conditions = conditionsOf(options);
  const reference = await referenceFor(options);
  const figures: Figure[] = [];
  for (const condition of conditions) {
    using machine = machineOf(condition);
    const runs: BenchRun[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      options.onProgress(`${condition} (${machine.how}), run ${round + 1} of ${options.rounds}`);
      runs.push(await runOn(machine, reference));
    }
    figures.push(...figuresOf(`${condition} (${machine.how})`, runs));
  }
  return figures;
}

export const measure: Measure = {
  name: "other-machines",
  title: "the default bench on a quiet, a slow, a busy and a small machine",
  onlyWhenNamed: true,
  rounds: 10,
  run,
};
