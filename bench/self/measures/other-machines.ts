// Whether the default bench works on other machines: all rounds within a minute, and the right headline.
import { analyse } from "@roundtrip/analysis";
import type { RunFacts } from "@roundtrip/runs";
import { readRun } from "@roundtrip/runs/read";
import { atExit, temporaryFolder } from "@roundtrip/runner/lifetime";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { median, type Figure, type Measure, type MeasureOptions } from "../measure.ts";
import { conditionNames, machineOf, type ConditionName, type EmulatedMachine } from "../other-machines/conditions.ts";
import {
  headlineComparisons,
  compareHeadlines,
  type HeadlineComparison,
  type HeadlineStanding,
} from "../other-machines/headline-comparisons.ts";

interface BenchRun extends HeadlineStanding {
  readonly elapsedMs: number;
  readonly roundsPlanned: number;
  readonly roundsDone: number;
  /** Whether every round made the same calls. */
  readonly isEqual: boolean;
  readonly cellsLeftOut: number;
  /** How many of the façade's six counts of attributes it has. */
  readonly counts: number;
  /** Whether it has the floor of hello. */
  readonly hasFloor: boolean;
  /** The share of the run's time in timed blocks, 0 to 1. */
  readonly timedShare: number;
  /** The warm-ups of stacks, without the floor's, that ended while times still fell, and all of them. */
  readonly unsettled: number;
  readonly warmUps: number;
}

const mostMs = 60_000;
/** One run in ten may lack a round, or take longer. */
const mostFailing = 0.1;
const allCounts = 6;

interface Targets {
  /** The largest share of the leading ratios that are not clear. */
  readonly unclear: number;
  /** The largest share of the time outside timed blocks. */
  readonly untimed?: number;
  /** The most warm-ups of a run that are cut off. */
  readonly unsettled?: number;
  /** The most counts of attributes that are missing in a run. */
  readonly countsMissing?: number;
}

const targetsOf: Readonly<Record<ConditionName, Targets>> = {
  quiet: { unclear: 0.05, untimed: 0.45, unsettled: 1, countsMissing: 0 },
  burning: { unclear: 0.15, untimed: 0.55 },
  slow: { unclear: 0.15 },
  "one-core": { unclear: 0.15 },
};

/** The reference for all runs: quiet, long, and with every cell. */
const referenceBudget = ["--rounds", "20", "--budget", "5m"];

async function headlineComparisonsIn(directory: string): Promise<readonly HeadlineComparison[]> {
  const { facts, samples } = await readRun(directory);
  return headlineComparisons(analyse(facts, samples));
}

const projectRoot = join(import.meta.dirname, "../../..");

/** Runs `bench` as users do, and returns how long it took. Rejects with its output if it fails. */
async function bench(machine: EmulatedMachine, args: readonly string[], out: string): Promise<number> {
  const words = ["packages/cli/bin/roundtrip.js", "bench", ...args, "--out", out, "--quiet"];
  const [command = process.execPath, ...rest] = [...machine.enter, process.execPath, ...words];
  const startedAtMs = performance.now();
  const running = spawn(command, rest, { cwd: projectRoot, stdio: ["ignore", "ignore", "pipe"] });
  using _ = atExit(() => running.kill("SIGKILL"));
  const printed = text(running.stderr);
  const [status] = (await once(running, "close")) as [number | null];
  if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${await printed}`);
  return performance.now() - startedAtMs;
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
  const compared = compareHeadlines(reference, headlineComparisons(analyse(facts, samples)));
  return { elapsedMs, ...kept(facts), ...compared };
}

/** What a run kept of its plan. */
function kept(facts: RunFacts): Omit<BenchRun, "elapsedMs" | keyof HeadlineStanding> {
  const { arms, blocks, durationMs, leftOut, roundsPlanned, roundsDone, warmUps } = facts;
  const measured = new Set(blocks.map(({ armId }) => armId));
  const found = arms.filter(({ id }) => measured.has(id));
  const callsOfRound = (round: number): number =>
    blocks.reduce((sum, block) => sum + (block.round === round ? block.calls : 0), 0);
  const calls = Array.from({ length: roundsDone }, (_, round) => callsOfRound(round));
  const counts = found.filter(({ task, role }) => task === "read" && role === "style");
  const ofStyles = warmUps.filter(({ stack }) => !arms.some((arm) => arm.stack === stack && arm.role === "floor"));
  return {
    roundsPlanned,
    roundsDone,
    isEqual: new Set(calls).size <= 1,
    cellsLeftOut: leftOut?.cells.length ?? 0,
    counts: new Set(counts.map(({ factors }) => factors["attributes"])).size,
    hasFloor: found.some(({ task, role }) => task === "hello" && role === "floor"),
    timedShare: blocks.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) / durationMs,
    unsettled: ofStyles.filter(({ trend }) => trend === "falling").length,
    warmUps: ofStyles.length,
  };
}

/** The names of what is not clear, each with the number of its runs; empty if there is none. */
function namesOf(names: readonly string[]): string {
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => `${name} in ${length}`);
  return counts.length === 0 ? "" : ` (${counts.join(", ")})`;
}

function figuresOf(name: ConditionName, how: string, runs: readonly BenchRun[]): readonly Figure[] {
  const targets = targetsOf[name];
  const sum = (valueOf: (one: BenchRun) => number): number => runs.reduce((all, one) => all + valueOf(one), 0);
  const middle = (valueOf: (one: BenchRun) => number): number => median(runs.map(valueOf));
  const most = (valueOf: (one: BenchRun) => number): number => Math.max(0, ...runs.map(valueOf));
  const share = (isSo: (one: BenchRun) => boolean): number => sum((one) => (isSo(one) ? 1 : 0)) / runs.length;
  const isFailing = ({ elapsedMs, roundsPlanned, roundsDone, isEqual }: BenchRun): boolean =>
    elapsedMs > mostMs || roundsDone < roundsPlanned || !isEqual;
  const expected = sum((one) => one.expected);
  const unclear = namesOf(runs.flatMap((one) => one.unclear));
  const figures: readonly (readonly [of: string, value: number, unit: string, atMost?: number | undefined])[] = [
    [
      `share of ${runs.length} runs with fewer or unequal rounds, or longer than a minute`,
      share(isFailing),
      "",
      mostFailing,
    ],
    ["rounds, median", middle(({ roundsDone }) => roundsDone), ""],
    ["rounds missing at most", most(({ roundsPlanned, roundsDone }) => roundsPlanned - roundsDone), ""],
    ["wall time, median", middle(({ elapsedMs }) => elapsedMs / 1000), "s"],
    ["wall time, longest", most(({ elapsedMs }) => elapsedMs / 1000), "s"],
    ["runs without the floor of hello", sum(({ hasFloor }) => (hasFloor ? 0 : 1)), "", 0],
    ["counts of attributes missing at most", most(({ counts }) => allCounts - counts), "", targets.countsMissing],
    ["cells left out, median", middle(({ cellsLeftOut }) => cellsLeftOut), ""],
    ["share of the time outside timed blocks, median", middle(({ timedShare }) => 1 - timedShare), "", targets.untimed],
    [
      `warm-ups of ${middle(({ warmUps }) => warmUps)} that did not settle, median`,
      middle(({ unsettled }) => unsettled),
      "",
      targets.unsettled,
    ],
    [
      `share of ${expected} leading ratios from 1.3 that are not clear${unclear}`,
      expected === 0 ? 0 : sum((one) => one.unclear.length) / expected,
      "",
      targets.unclear,
    ],
    ["leading ratios with the wrong sign", sum((one) => one.wrong.length), "", 0],
  ];
  return figures.map(([of, value, unit, atMost]) => ({
    of: `${name} (${how}): ${of}`,
    value,
    interval: null,
    unit,
    atMost,
  }));
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
    figures.push(...figuresOf(condition, machine.how, runs));
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
