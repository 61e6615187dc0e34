// The run directory that a run writes.
import type { RunFacts, Summary } from "@roundtrip/analysis";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { RunnerError } from "../basics/runner-error.ts";
import { fileFault } from "../basics/file-fault.ts";
import { makeDirectory } from "../basics/make-directory.ts";
import { runFile, samplesFile } from "./run-files.ts";
import { writeRunFile } from "./run-json.ts";
import { SamplesWriter } from "./samples-parquet.ts";

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
