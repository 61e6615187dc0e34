// Measures the cost of a stack's calls and of a turn of the loop on this machine, by comparing the server with itself plus more turns.
import type { PairedComparison } from "@roundtrip/analysis";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { nothing, type Addition } from "./addition.ts";
import { byOperation, watchedTasks, type Calibration, type WatchedTask } from "./calibration.ts";
import { JobFault } from "./job-fault.ts";
import { runCompare, projectRoot } from "./run-compare.ts";
import { serverCommand } from "./version-words.ts";

/** About 15 µs: large enough to measure well, small enough not to change the load. */
const turns = 15_000;

/** The difference is known, so that nothing is to be found and confirmed. */
const anyDifference = ["--tolerate", "90%", "--detect", "99%"] as const;

/** The part of a compared cell that is used here. */
interface Costs {
  readonly task: string;
  readonly metric: string;
  readonly base: { readonly p50: number };
  /** Head ÷ base, as the gate computes it. */
  readonly ratio: number;
}

function cellOf(cells: readonly Costs[], task: WatchedTask, metric: string): Costs {
  const cell = cells.find((one) => one.task === task && one.metric === metric);
  if (cell === undefined) throw new Error(`a calibration without ${metric} of ${task}`);
  return cell;
}

/**
 * The cost of turns, from a comparison of `nothing` with `turns` more turns a call. Uses statistics that are robust to outlying blocks and rounds.
 */
export function calibrationOf(stack: string, cells: readonly Costs[]): Calibration {
  const of = (metric: string): Readonly<Record<WatchedTask, number>> => ({
    hello: cellOf(cells, "hello", metric).base.p50,
    read: cellOf(cells, "read", metric).base.p50,
  });
  const serverCpuMs = of("serverCpuMsPerTask");
  const added = watchedTasks.map((task) => (cellOf(cells, task, "serverCpuMsPerTask").ratio - 1) * serverCpuMs[task]);
  const cpuMsPerTurn = added.reduce((sum, value) => sum + value, 0) / added.length / turns;
  return { stack, serverCpuMs, latencyMs: of("latencyMs"), cpuMsPerTurn };
}

/** Takes as long as a short job. Rejects with the output of compare if it gives no result. */
export async function calibrate(stack: string, seed: number): Promise<Calibration> {
  using directory = temporaryFolder("calibration");
  const out = join(directory.path, "run");
  const burning: Addition = { kind: "burn", turns: byOperation(() => turns) };
  const versions = [nothing, burning].map((addition) => serverCommand(projectRoot, stack, addition));
  const [base = "", head = ""] = versions;
  const where = ["--stack", stack, "--seed", String(seed), "--out", out];
  const { status, lastLine } = await runCompare(["--base-cmd", base, "--head-cmd", head, ...where, ...anyDifference]);
  if (status !== 0) throw new JobFault(`${stack} could not be calibrated: ${lastLine}`);
  const { cells } = JSON.parse(readFileSync(join(out, "comparison.json"), "utf8")) as PairedComparison;
  return calibrationOf(stack, cells);
}
