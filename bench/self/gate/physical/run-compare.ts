// Runs `roundtrip compare` as users do, in a process of its own, and returns its run directory and duration.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { atExit } from "@roundtrip/runner/lifetime";

export const projectRoot = join(import.meta.dirname, "../../../..");

export interface CompareRun {
  readonly status: number | null;
  readonly seconds: number;
  /** Of these, the seconds after the first verdict, while a loss was measured again. */
  readonly confirmationSeconds: number;
  readonly lastLine: string;
}

/** A job that takes longer hangs, and is of no use. */
const mostMs = 10 * 60_000;
const betweenSignalsMs = 200;

/** @param words the arguments after `roundtrip compare` */
export async function runCompare(words: readonly string[]): Promise<CompareRun> {
  const startedAt = performance.now();
  const program = spawn(process.execPath, [join(projectRoot, "packages/cli/bin/roundtrip.js"), "compare", ...words], {
    cwd: projectRoot,
    stdio: ["ignore", "ignore", "pipe"],
    // Ctrl-C is for the program that runs the jobs, which ends this one with time to clean up.
    detached: true,
    timeout: mostMs,
  });
  using _ = atExit(() => {
    if (program.exitCode !== null || program.signalCode !== null) return;
    // The first signal asks it to stop, the second to end now, the third kills it. Without pauses they would merge into one.
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
