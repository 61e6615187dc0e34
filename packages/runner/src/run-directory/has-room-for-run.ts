// Whether a run may be kept in a directory: what somebody measured is never written over, but a run that ended before it measured
// anything is in nobody's way.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { RunnerError } from "../basics/runner-error.ts";
import { readRunFile } from "./run-json.ts";
import { countSamples } from "./read-samples.ts";

/** Resolves to false for a directory with a run that holds calls, is under way, or cannot be read. */
export async function hasRoomForRun(directory: string): Promise<boolean> {
  const [runFile, samplesFile] = [join(directory, "run.json"), join(directory, "samples.parquet")];
  if (!existsSync(runFile) && !existsSync(samplesFile)) return true;
  try {
    const { durationMs, blocks } = readRunFile(runFile);
    // A run that is under way has lasted 0 ms until its first round is written.
    return durationMs > 0 && blocks.length === 0 && (await countSamples(samplesFile)) === 0;
  } catch (thrown) {
    if (thrown instanceof RunnerError) return false;
    throw thrown;
  }
}
