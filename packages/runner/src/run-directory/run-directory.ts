// The run directory: where a run keeps its facts, and whence reports are made.
import type { RunFacts, Samples, Summary } from "@roundtrip/analysis";
import { accessSync, constants, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { RunnerError } from "../runner-error.ts";
import { fileFault } from "./file-fault.ts";
import { makeDirectory } from "./make-directory.ts";
import { readRunFile, writeRunFile } from "./run-json.ts";
import { readSamples, SamplesWriter } from "./samples-parquet.ts";

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

/** Facts and calls of a finished, interrupted or failed run. @param path the directory, or its run.json. Throws `unreadable`. */
export async function readRun(path: string): Promise<{ readonly facts: RunFacts; readonly samples: Samples }> {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
  if (isFile === undefined) throw new RunnerError("unreadable", `there is no run at ${path}`);
  const directory = isFile ? dirname(path) : path;
  const { schemaVersion: _version, summaries: _summaries, ...facts } = readRunFile(join(directory, runFile));
  const armIds = facts.arms.map((arm) => arm.id);
  return { facts, samples: await readSamples(join(directory, samplesFile), armIds) };
}
