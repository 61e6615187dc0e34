// Runs one job on this machine, from the start of the command to its verdict, with a noisy neighbour if the case has one.
import { execFileSync, fork } from "node:child_process";
import { cpus, loadavg, release } from "node:os";
import { join } from "node:path";
import { atExit, temporaryFolder } from "@roundtrip/runner/lifetime";
import type { Calibration } from "./calibration.ts";
import { changeNamed } from "./changes.ts";
import type { JobCase, PhysicalJob } from "./physical-job.ts";
import type { CopyPaths } from "./copies-at-two-paths.ts";
import { readJob } from "./read-job.ts";
import { projectRoot, runCompare } from "./run-compare.ts";
import { versionWords } from "./version-words.ts";

const neighbourProgram = join(projectRoot, "bench/self/processes/noisy-neighbour.ts");

/** Ends when it is disposed of, or with this process. */
function noisyNeighbour(seed: number): Disposable {
  const child = fork(neighbourProgram, [String(seed)], { stdio: "ignore" });
  return atExit(() => child.kill("SIGKILL"));
}

export function machineHere(): string {
  const [first] = cpus();
  return `${first?.model.trim() ?? "unknown processor"}, ${cpus().length} cores, Linux ${release()}, Node.js ${process.version}`;
}

function versionHere(): string {
  return execFileSync("git", ["describe", "--always", "--dirty"], { cwd: projectRoot, encoding: "utf8" }).trim();
}

export interface JobSettings {
  readonly calibration: Calibration;
  readonly seed: number;
  readonly copyPaths: () => CopyPaths;
  /** In addition to the defaults of `roundtrip compare`. */
  readonly words: readonly string[];
}

const [passed, failed] = [0, 1];

/** Returns a job with the verdict `none` if the command gave none. Rejects if its result cannot be read. */
export async function runJob(one: JobCase, settings: JobSettings): Promise<PhysicalJob> {
  const { calibration, seed, copyPaths, words } = settings;
  using directory = temporaryFolder("job");
  const out = join(directory.path, "run");
  const about = {
    ...one,
    kind: changeNamed(one.change).kind,
    startedAt: new Date().toISOString(),
    seed,
    version: versionHere(),
    machine: machineHere(),
    loadBefore: Number((loadavg()[0] ?? Number.NaN).toFixed(2)),
  };
  using _ = one.hasNeighbour ? noisyNeighbour(seed) : undefined;
  const versions = versionWords(one, calibration, copyPaths);
  const stacks = one.isWhole ? [] : ["--stack", one.stack];
  const run = await runCompare([...versions, ...stacks, "--seed", String(seed), "--out", out, ...words]);
  const { status, seconds, confirmationSeconds, lastLine } = run;
  const took = { seconds: Number(seconds.toFixed(1)), confirmationSeconds: Number(confirmationSeconds.toFixed(1)) };
  if (status !== passed && status !== failed) {
    const nothing = { cells: [], exact: [], logRatios: [], armRounds: [], confirmation: null, rounds: 0 };
    return { ...about, ...took, ...nothing, verdict: "none", reason: lastLine };
  }
  return { ...about, ...took, ...(await readJob(one, out)) };
}
