// Runs the command line as users do, in a process of its own, and returns its cost.
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

/** Runs `roundtrip` with these arguments. Rejects with its output if it fails. @param enter the command that starts it elsewhere. */
export async function runProgram(args: readonly string[], enter: readonly string[] = []): Promise<ProgramCost> {
  const preload = join(import.meta.dirname, "processes", "peak-memory.ts");
  const program = ["--import", preload, "packages/cli/bin/roundtrip.js", ...args];
  const [command = process.execPath, ...words] = [...enter, process.execPath, ...program];
  const startedAtMs = performance.now();
  const running = spawn(command, words, { cwd: projectRoot, stdio: ["ignore", "ignore", "pipe", "pipe"] });
  using _ = atExit(() => running.kill("SIGKILL"));
  const said = text(running.stderr as Readable);
  const peakKiB = text(running.stdio[3] as Readable);
  const [status] = (await once(running, "close")) as [number | null];
  const elapsedMs = performance.now() - startedAtMs;
  if (status !== 0) throw new Error(`roundtrip ${args.join(" ")} ended with ${status}: ${await said}`);
  return { elapsedMs, peakMiB: Number(await peakKiB) / 1024 };
}
