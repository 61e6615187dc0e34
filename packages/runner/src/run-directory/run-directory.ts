// Writes the run directory.
import type { Arm, RunFacts, Samples } from "@roundtrip/analysis";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { RunnerError } from "../basics/runner-error.ts";
import { fileFault } from "../basics/file-fault.ts";
import { makeDirectory } from "../basics/make-directory.ts";
import { runFile, samplesFile, writeRunFile } from "./run-json.ts";
import { SamplesWriter } from "./samples-parquet.ts";
import { columnKinds, namedColumns, type ReadColumns } from "@roundtrip/analysis/call-columns";
import type { SampleRows } from "./sample-rows.ts";

export interface OpenRunDirectory {
  readonly samples: SamplesWriter;
  /** Writes the facts known so far; called after every round, so that a crash loses at most one. */
  writeFacts(facts: RunFacts): void;
}

/** Makes the directory if it does not exist. Throws `unwritable` before anything is measured rather than after. */
export function openRunDirectory(directory: string): OpenRunDirectory {
  try {
    makeDirectory(directory);
    accessSync(directory, constants.W_OK);
  } catch (cause) {
    throw new RunnerError("unwritable", `cannot write to ${directory}: ${fileFault(cause)}`, { cause });
  }
  return {
    samples: new SamplesWriter(join(directory, samplesFile)),
    writeFacts: (facts) => writeRunFile(join(directory, runFile), facts),
  };
}

/** The index of each word in a list, to which new words are added. */
function indexesIn(words: readonly string[], list: string[]): readonly number[] {
  const indexes = new Map(list.map((word, index) => [word, index]));
  return words.map((word) => {
    const index = indexes.get(word) ?? list.push(word) - 1;
    indexes.set(word, index);
    return index;
  });
}

/** @param arms those of the run, in its order. */
export function roundSamples(rows: SampleRows, arms: readonly Pick<Arm, "id">[]): Samples {
  const outcomes = ["OK"];
  const ids = arms.map(({ id }) => id);
  const columns = namedColumns.map(({ name, kind, readAs }) => {
    if (kind === "arm") return [readAs, Uint32Array.from(indexesIn(rows.armId, ids))] as const;
    if (kind === "outcome") return [readAs, Uint8Array.from(indexesIn(rows.outcome, outcomes))] as const;
    const values = rows[name] as ArrayLike<number | bigint | null>;
    const column = new columnKinds[kind].read(values.length);
    for (let row = 0; row < values.length; row += 1) column[row] = Number(values[row] ?? Number.NaN);
    return [readAs, column] as const;
  });
  return { length: rows.armId.length, outcomes, ...(Object.fromEntries(columns) as unknown as ReadColumns) };
}
