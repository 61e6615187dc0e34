// Reads a run directory, and loads nothing that writes one: `@roundtrip/runner/read-run`.
import type { RunFacts, Samples } from "@roundtrip/analysis";
import { statSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { RunnerError } from "../basics/runner-error.ts";
import { readSamples, samplesInParts, countSamples } from "./read-samples.ts";
import { runFile, samplesFile, readRunFile } from "./run-json.ts";

/**
 * Whether a run may be written to a directory. A run with calls is never overwritten; one that ended before it measured anything may be. Resolves to
 * false for a directory whose run contains calls, is under way, or cannot be read.
 */
export async function isFreeForRun(directory: string): Promise<boolean> {
  const [facts, samples] = [join(directory, runFile), join(directory, samplesFile)];
  if (!existsSync(facts) && !existsSync(samples)) return true;
  try {
    const { durationMs, blocks } = readRunFile(facts);
    // A run that is under way has lasted 0 ms until its first round is written.
    return durationMs > 0 && blocks.length === 0 && (await countSamples(samples)) === 0;
  } catch (thrown) {
    if (thrown instanceof RunnerError) return false;
    throw thrown;
  }
}

/** The facts of a run, and the path of its calls. Throws `unreadable`. */
function openRun(path: string): { readonly facts: RunFacts; readonly samples: readonly [string, readonly string[]] } {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
  if (isFile === undefined) throw new RunnerError("unreadable", `there is no run at ${path}`);
  const directory = isFile ? dirname(path) : path;
  const { schemaVersion: _version, ...facts } = readRunFile(join(directory, runFile));
  return { facts, samples: [join(directory, samplesFile), facts.arms.map((arm) => arm.id)] };
}

/** Facts and calls of a finished, interrupted or failed run. @param path the directory, or its run.json. Throws `unreadable`. */
export async function readRun(path: string): Promise<{ readonly facts: RunFacts; readonly samples: Samples }> {
  const { facts, samples } = openRun(path);
  return { facts, samples: await readSamples(...samples) };
}

/** As {@link readRun}, with the calls in parts of whole rounds, at least one. Only one part is in memory, until the next is read. */
export function readRunInParts(path: string): { readonly facts: RunFacts; readonly parts: AsyncIterable<Samples> } {
  const { facts, samples } = openRun(path);
  return { facts, parts: samplesInParts(...samples) };
}
