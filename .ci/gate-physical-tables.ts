// The tables of docs/gate.md about jobs on a real machine: their verdicts, their durations, and replays of their rounds.
import { exactInterval } from "../bench/self/gate/exact-interval.ts";
import { changes } from "../bench/self/gate/physical/changes.ts";
import type { JobCell, PhysicalJob } from "../bench/self/gate/physical/physical-job.ts";
import type { Replay, ReplayRow } from "../bench/self/gate/physical/replay.ts";
import { physicalHeadToHead } from "../bench/self/gate/physical/physical-head-to-head.ts";
import { roundNoise } from "../bench/self/gate/physical/round-noise.ts";
import { markdownTable, percent, shareOfJobs } from "./markdown-table.ts";

const metricWords: Readonly<Record<string, string>> = { latencyMs: "latency", serverCpuMsPerTask: "server CPU" };

function count(jobs: readonly PhysicalJob[], verdict: PhysicalJob["verdict"]): number {
  return jobs.filter((job) => job.verdict === verdict).length;
}

/** The smallest value with at least this share of the values at or below it. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

function holdsTruth({ low, high, truth }: JobCell): boolean {
  return truth !== null && truth >= (low ?? 0) && truth <= (high ?? Infinity);
}

/** `71 of 72` cells whose interval contains the true value. */
function covered(jobs: readonly PhysicalJob[]): string {
  const known = jobs.flatMap(({ cells }) => cells.filter(({ truth }) => truth !== null));
  return known.length === 0 ? "–" : `${known.filter(holdsTruth).length} of ${known.length}`;
}

/** The number of jobs, and of each verdict. Failed jobs have no verdict and are counted with the inconclusive ones. */
function verdicts(jobs: readonly PhysicalJob[]): readonly string[] {
  const faults = count(jobs, "none");
  const counts = [jobs.length, count(jobs, "fail"), count(jobs, "pass"), count(jobs, "inconclusive")].map(String);
  return faults === 0 ? counts : [...counts.slice(0, -1), `${counts.at(-1) ?? ""} (and ${faults} without a verdict)`];
}

function foundLoss({ confirmation, reason }: PhysicalJob): boolean {
  return confirmation !== null || reason.startsWith("a loss was found");
}

function circumstance({ isWhole, hasNeighbour }: PhysicalJob): string {
  return `${isWhole ? "three stacks" : "one stack"}${hasNeighbour ? ", noisy neighbour" : ""}`;
}

function nullRow(name: string, jobs: readonly PhysicalJob[]): readonly string[] {
  const { high } = exactInterval(count(jobs, "fail"), jobs.length);
  const before = jobs.filter(foundLoss).length;
  return [name, ...verdicts(jobs), String(before), `${percent(high, 1)} %`, covered(jobs)];
}

function nullTable(jobs: readonly PhysicalJob[]): string {
  const equal = jobs.filter(({ kind }) => kind === "null");
  const groups = Map.groupBy(equal, (job) => `${job.change}, ${circumstance(job)}`);
  const head = [
    "equal versions",
    "jobs",
    "FAIL",
    "PASS",
    "INCONCLUSIVE",
    "slower before confirmation",
    "FAIL in at most (95 %)",
    "intervals that hold 1",
  ];
  return markdownTable(head, [...[...groups].map(([name, some]) => nullRow(name, some)), nullRow("all", equal)]);
}

/** The mean ratio of the changed cells over all jobs, such as `+5.1 %`. */
function seen(jobs: readonly PhysicalJob[], metric: string): string {
  const ratios = jobs.flatMap(({ stack, cells }) =>
    cells.filter((cell) => cell.stack === stack && cell.metric === metric).map(({ ratio }) => Math.log(ratio)),
  );
  if (ratios.length === 0) return "–";
  const change = Math.exp(ratios.reduce((sum, value) => sum + value, 0) / ratios.length) - 1;
  return `${change < 0 ? "−" : "+"}${percent(Math.abs(change), 1)} %`;
}

function injectedTable(jobs: readonly PhysicalJob[]): string {
  const order = changes.map(({ name }) => name);
  const changed = jobs
    .filter(({ kind }) => kind === "injected")
    .toSorted((one, other) => order.indexOf(one.change) - order.indexOf(other.change));
  const groups = Map.groupBy(changed, (job) => `${job.change}, ${circumstance(job)}`);
  const rows = [...groups].map(([name, some]) => {
    const exact = some.filter((job) => job.exact.length > 0).length;
    return [
      name,
      ...verdicts(some),
      seen(some, "serverCpuMsPerTask"),
      seen(some, "latencyMs"),
      exact === 0 ? "–" : `${exact} of ${some.length}`,
      covered(some),
    ];
  });
  const head = [
    "change of one stack",
    "jobs",
    "FAIL",
    "PASS",
    "INCONCLUSIVE",
    "its server CPU, seen",
    "its latency, seen",
    "found by exact counts",
    "intervals that hold the truth",
  ];
  return markdownTable(head, rows);
}

function seconds(values: readonly number[]): string {
  return values.length === 0 ? "–" : `${quantile(values, 0.5).toFixed(0)} (${quantile(values, 0.95).toFixed(0)})`;
}

function timeTable(jobs: readonly PhysicalJob[]): string {
  const judged = jobs.filter(({ verdict }) => verdict !== "none");
  const groups = Map.groupBy(
    judged.toSorted((one, other) => Number(one.isWhole) - Number(other.isWhole)),
    (job) => `${circumstance(job)}, ${job.kind === "null" ? "equal versions" : "changed versions"}`,
  );
  const rows = [...groups].map(([name, some]) => {
    const confirming = some.flatMap((job) => (job.confirmationSeconds > 0 ? [job.confirmationSeconds] : []));
    return [
      name,
      String(some.length),
      seconds(some.map((job) => job.rounds)),
      seconds(some.map((job) => job.seconds - job.confirmationSeconds)),
      seconds(confirming),
      seconds(some.map((job) => job.seconds)),
    ];
  });
  const head = [
    "jobs over",
    "jobs",
    "rounds",
    "s to the first verdict",
    "s of confirmation, where one was",
    "s in all",
  ];
  return markdownTable(head, rows);
}

function place({ over, hasNeighbour }: Pick<ReplayRow, "over" | "hasNeighbour">): string {
  return `${over}${hasNeighbour ? ", noisy neighbour" : ""}`;
}

function replayTable({ rows }: Replay): string {
  const groups = Map.groupBy(rows, (row) => `${place(row)} ${row.assembly}`);
  const cells = [...groups.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const of = (shift: string) => some.find((row) => row.shift === shift) ?? first;
    const [equal, tolerated] = [of("nothing"), of("all that is tolerated")];
    const found = [of("+5 % server CPU"), of("+5 % latency")].map(({ blocked, jobs }) => shareOfJobs(blocked, jobs));
    const from = `${first.storedRounds} of ${first.storedJobs} jobs`;
    const alarms = shareOfJobs(equal.failed, equal.jobs, 2);
    const beyond = shareOfJobs(tolerated.failed, tolerated.jobs);
    return [[place(first), from, first.assembly, alarms, beyond, ...found]];
  });
  const head = [
    "rounds of equal versions over",
    "stored",
    "drawn as",
    "FAIL before confirmation",
    "all rows slower by τ: FAIL before confirmation",
    "finds +5 % server CPU of a stack",
    "finds +5 % latency of a stack",
  ];
  return markdownTable(head, cells);
}

function headToHeadTable(jobs: readonly PhysicalJob[]): string {
  const rows = physicalHeadToHead(jobs).map(({ rule, equal, falseAlarms, changed, found }) => [
    rule,
    `${falseAlarms} of ${equal}`,
    `${found} of ${changed}`,
  ]);
  return markdownTable(["rule", "alarms in jobs of equal versions", "finds +5 % server CPU of a stack"], rows);
}

function noiseTable(jobs: readonly PhysicalJob[]): string {
  const rows = roundNoise(jobs).map((noise) => [
    place(noise),
    noise.stack,
    metricWords[noise.metric] ?? noise.metric,
    `${noise.rounds} of ${noise.jobs} jobs`,
    `${percent(noise.deviation, 1)} %`,
    noise.autocorrelation.toFixed(2),
    noise.betweenJobs.toFixed(2),
    noise.wildest.toFixed(1),
  ]);
  const head = [
    "equal versions over",
    "stack",
    "metric",
    "rounds",
    "deviation",
    "autocorrelation",
    "variance of jobs' means, of what is expected",
    "wildest round, deviations",
  ];
  return markdownTable(head, rows);
}

/** The tables by block name on the page. Throws if the replay is of other jobs than the stored ones. */
export function physicalTables(jobs: readonly PhysicalJob[], replay: Replay): Readonly<Record<string, () => string>> {
  if (replay.storedJobs !== jobs.filter(({ kind }) => kind === "null").length) {
    throw new Error("docs/gate/physical-replay.json does not match the stored jobs; run pnpm gate-physical --replay");
  }
  return {
    "physical-null": () => nullTable(jobs),
    "physical-injected": () => injectedTable(jobs),
    "physical-time": () => timeTable(jobs),
    "physical-head-to-head": () => headToHeadTable(jobs),
    "physical-replay": () => replayTable(replay),
    "physical-noise": () => noiseTable(jobs),
  };
}
