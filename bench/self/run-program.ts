// Runs the command line as its users do, a whole process from start to end, and says what it took.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { atExit } from "@roundtrip/runner/lifetime";

export interface ProgramCost {
  readonly elapsedMs: number;
  readonly peakMiB: number;
}

const projectRoot = join(import.meta.dirname, "..", "..");

/** Runs `roundtrip` with these arguments. Rejects with what it said when it fails. */
export async function runProgram(args: readonly string[]): Promise<ProgramCost> {
  const startedAtMs = performance.now();
  const program = spawn(
    process.execPath,
    ["--import", join(import.meta.dirname, "processes", "peak-memory.ts"), "packages/cli/bin/roundtrip.js", ...args],
    { cwd: projectRoot, stdio: ["ignore", "ignore", "pipe", "pipe"] },
  );
  using _ = atExit(() => program.kill("SIGKILL"));
  const said = text(program.stderr as Readable);
  const peakKiB = text(program.stdio[3] as Readable);
  const [status] = (await once(program, "close")) as [number | null];
  const elapsedMs = performance.now() - startedAtMs;
  if (status !== 0) throw new Error(`roundtrip ${args.join(" ")} ended with ${status}: ${await said}`);
  return { elapsedMs, peakMiB: Number(await peakKiB) / 1024 };
}
