// `pnpm gate-physical`: runs whole comparisons with a known truth on this machine, one after the other, and adds a line per job to
// docs/gate/physical-jobs.jsonl. Ctrl-C loses only the current job. At the end the rounds of all jobs are replayed.
import { InvalidArgumentError, Option } from "commander";
import { count, exitStatus, programNamed, run, seedFrom, seedOption } from "../../../programs/program.ts";
import type { Calibration } from "./calibration.ts";
import { calibrate } from "./calibrate.ts";
import { JobFault } from "./job-fault.ts";
import { stackNames, type PhysicalJob } from "./physical-job.ts";
import { copiesAtTwoPaths, type CopyPaths } from "./copies-at-two-paths.ts";
import { kinds, nextCase, type Kind } from "./plan.ts";
import { machineHere, runJob } from "./run-job.ts";
import { replay } from "./replay.ts";
import { storeReplay } from "./stored-replay.ts";
import { jobsFile, store, storedCalibration, storedJobs } from "./stored-jobs.ts";

interface Options {
  readonly kind: Kind | "all";
  readonly stack: readonly string[];
  readonly jobs?: number;
  readonly for?: number;
  readonly seed?: number;
  readonly oneStack?: true;
  readonly replay?: true;
  readonly file?: string;
}

/** Milliseconds from `90s`, `30m` or `2h`. */
function durationMs(text: string): number {
  const [, amount, unit] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? [];
  if (amount === undefined) throw new InvalidArgumentError("It has to be a time such as 90s, 30m or 2h.");
  return Number(amount) * { s: 1_000, m: 60_000, h: 3_600_000 }[unit as "s" | "m" | "h"];
}

/** More failures in a row mean that nothing works on this machine. */
const mostFaultsInARow = 3;

async function calibrationFor(stack: string, seed: number, file: string): Promise<Calibration> {
  const machine = machineHere();
  const known = storedCalibration(machine, stack, file);
  if (known !== undefined) return known;
  process.stderr.write(`${stack}: what its calls cost here …\n`);
  const startedAt = new Date().toISOString();
  const calibration = await calibrate(stack, seed);
  store({ kind: "calibration", machine, startedAt, ...calibration }, file);
  return calibration;
}

function lineOf({ change, stack, isWhole, hasNeighbour, ...job }: PhysicalJob): string {
  const where = `${isWhole ? `all stacks, ${stack}` : stack}${hasNeighbour ? ", noisy neighbour" : ""}`;
  const slower = job.cells.filter(({ state }) => state === "worse").map(({ task, metric }) => `${task} ${metric}`);
  const what = [job.verdict, ...slower, job.reason].filter((text) => text !== "").join("; ");
  return `${change} (${where}): ${what}; ${job.rounds} rounds, ${job.seconds} s\n`;
}

async function runJobs(options: Options): Promise<void> {
  const { kind, stack: stacks, jobs = Infinity, for: budgetMs = Infinity, seed: asked, file = jobsFile } = options;
  const until = performance.now() + budgetMs;
  const seed = seedFrom(asked);
  const wanted = kind === "all" ? kinds : [kind];
  let made: CopyPaths | undefined;
  const copyPaths = (): CopyPaths => (made ??= copiesAtTwoPaths());
  let faults = 0;
  for (let job = 0; job < jobs && performance.now() < until; job += 1) {
    const one = nextCase(storedJobs(file), wanted, stacks, options.oneStack);
    const jobSeed = (seed + job) % 2 ** 31;
    const calibration = await calibrationFor(one.stack, jobSeed, file);
    const done = await runJob(one, { calibration, seed: jobSeed, copyPaths, words: [] });
    store(done, file);
    process.stdout.write(lineOf(done));
    faults = done.verdict === "none" ? faults + 1 : 0;
    if (faults === mostFaultsInARow) throw new JobFault(`${faults} jobs in a row came to no verdict: ${done.reason}`);
  }
}

/** Fixed, so that the same jobs give the same figures. */
const replaySeed = 1;

function show(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}

function replayAll(): void {
  storeReplay(replay(storedJobs(), replaySeed, (text) => show(`replaying ${text}`)));
  show("");
}

async function renew(options: Options): Promise<void> {
  try {
    if (options.replay !== true) await runJobs(options);
  } catch (thrown) {
    if (!(thrown instanceof JobFault)) throw thrown;
    process.stderr.write(`gate-physical: ${thrown.message}\n`);
    process.exitCode = exitStatus.found;
    return;
  }
  if (options.file === undefined) replayAll();
}

await run(
  programNamed(
    "gate-physical",
    "Runs comparisons whose truth is known, on this machine, and adds a line for each to docs/gate/physical-jobs.jsonl. Leave the " +
      "machine alone meanwhile. Ctrl-C loses the job under way; the next run goes on with the cases that have been done least.",
  )
    .addOption(new Option("--kind <kind>", "which jobs").choices([...kinds, "all"]).default("all"))
    .addOption(new Option("--stack <name...>", "where something is changed").choices(stackNames).default(stackNames))
    .option("--jobs <n>", "so many jobs, and no more", count)
    .option("--for <time>", "no job is begun later than this, such as 30m", durationMs)
    .option("--one-stack", "no comparison of all stacks at once, which takes minutes")
    .option("--replay", "only replay the rounds that are stored")
    .option("--file <path>", "add lines to this file instead, and replay nothing")
    .addOption(seedOption())
    .action(renew),
);
