// Runs `roundtrip compare` as its users do, a whole process from start to end, and gives back where its run lies and what it took.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { atExit } from "@roundtrip/runner/lifetime";

export const projectRoot = join(import.meta.dirname, "../../../..");

export interface CompareRun {
  readonly status: number | null;
  readonly seconds: number;
  /** Of these, after the first verdict: a loss was measured again. */
  readonly confirmationSeconds: number;
  /** What it said last. */
  readonly lastLine: string;
}

/** Of a job that hangs nothing is learnt. */
const mostMs = 10 * 60_000;
const betweenSignalsMs = 200;

/** @param words what comes after `roundtrip compare` */
export async function runCompare(words: readonly string[]): Promise<CompareRun> {
  const startedAt = performance.now();
  const program = spawn(process.execPath, [join(projectRoot, "packages/cli/bin/roundtrip.js"), "compare", ...words], {
    cwd: projectRoot,
    stdio: ["ignore", "ignore", "pipe"],
    // Ctrl-C is for who runs the jobs; what it started ends with it, in a way that lets it tidy up.
    detached: true,
    timeout: mostMs,
  });
  using _ = atExit(() => {
    if (program.exitCode !== null || program.signalCode !== null) return;
    // The first asks it to stop, the second to end where it is, and then nothing is asked any more; all at once would be one.
    for (const signal of ["SIGTERM", "SIGTERM", "SIGKILL"] as const) {
      program.kill(signal);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenSignalsMs);
    }
  });
  let recheckedAt: number | undefined;
  let lastLine = "";
  createInterface({ input: program.stderr }).on("line", (line) => {
    if (line.startsWith("Measuring that again")) recheckedAt = performance.now();
    if (line.trim() !== "") lastLine = line.trim();
  });
  const [status] = (await once(program, "close")) as [number | null];
  const endedAt = performance.now();
  return {
    status,
    seconds: (endedAt - startedAt) / 1_000,
    confirmationSeconds: recheckedAt === undefined ? 0 : (endedAt - recheckedAt) / 1_000,
    lastLine,
  };
}
