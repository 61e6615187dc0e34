// The run directory: where a run keeps its facts, and whence reports are made.
import type { RunFacts, Samples, Summary } from "@roundtrip/analysis";
import { accessSync, constants, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { RunnerError } from "../runner-error.ts";
import { fileFault } from "./file-fault.ts";
import { makeDirectory } from "./make-directory.ts";
import { readRunFile, writeRunFile } from "./run-json.ts";
import { readSamples, samplesInParts } from "./read-samples.ts";
import { SamplesWriter } from "./samples-parquet.ts";

const runFile = "run.json";
const samplesFile = "samples.parquet";

/** A run being written. */
export interface OpenRunDirectory {
  readonly samples: SamplesWriter;
  /** Writes the facts known so far; called after every round, so that a crash loses at most one. */
  writeFacts(facts: RunFacts, summaries: readonly Summary[]): void;
}

/** Makes the directory if need be. Throws `unwritable` before anything is measured rather than after. */
export function openRunDirectory(directory: string): OpenRunDirectory {
  try {
    makeDirectory(directory);
    accessSync(directory, constants.W_OK);
  } catch (cause) {
    throw new RunnerError("unwritable", `cannot write to ${directory}: ${fileFault(cause)}`, { cause });
  }
  return {
    samples: new SamplesWriter(join(directory, samplesFile)),
    writeFacts: (facts, summaries) => writeRunFile(join(directory, runFile), facts, summaries),
  };
}

/** The facts of a run, and where its calls are. Throws `unreadable`. */
function openRun(path: string): { readonly facts: RunFacts; readonly samples: readonly [string, readonly string[]] } {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
  if (isFile === undefined) throw new RunnerError("unreadable", `there is no run at ${path}`);
  const directory = isFile ? dirname(path) : path;
  const { schemaVersion: _version, summaries: _summaries, ...facts } = readRunFile(join(directory, runFile));
  return { facts, samples: [join(directory, samplesFile), facts.arms.map((arm) => arm.id)] };
}

/** Facts and calls of a finished, interrupted or failed run. @param path the directory, or its run.json. Throws `unreadable`. */
export async function readRun(path: string): Promise<{ readonly facts: RunFacts; readonly samples: Samples }> {
  const { facts, samples } = openRun(path);
  return { facts, samples: await readSamples(...samples) };
}

/** As {@link readRun}, with calls in parts of whole rounds, at least one: of a long run one is in memory at a time, until the next is asked for. */
export function readRunInParts(path: string): { readonly facts: RunFacts; readonly parts: AsyncIterable<Samples> } {
  const { facts, samples } = openRun(path);
  return { facts, parts: samplesInParts(...samples) };
}
