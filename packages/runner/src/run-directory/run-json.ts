// `run.json`: everything about a run except the single calls. Its schema is schema/run.v1.schema.json.
import { readTextNow } from "@roundtrip/contract/read-text";
import type { RunFacts } from "@roundtrip/analysis";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { RunnerError } from "../basics/runner-error.ts";
import { fileFault } from "../basics/file-fault.ts";

export const runFile = "run.json";
export const samplesFile = "samples.parquet";

/** The version that is written and read. */
export const schemaVersion = 1;

/** The content of the file. */
export interface RunFile extends RunFacts {
  readonly schemaVersion: typeof schemaVersion;
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The reported error contains the path.
  }
}

/** Writes the file atomically. Throws `unwritable`. */
export function writeRunFile(path: string, facts: RunFacts): void {
  const content: RunFile = { schemaVersion, ...facts };
  try {
    writeFileSync(`${path}.partial`, `${JSON.stringify(content, null, 1)}\n`);
    renameSync(`${path}.partial`, path);
  } catch (cause) {
    removeQuietly(`${path}.partial`);
    throw new RunnerError("unwritable", `cannot write ${path}: ${fileFault(cause)}`, { cause });
  }
}

const lists = ["arms", "blocks", "firstCalls", "warmUps", "warnings"] as const;

/** Reads the facts of a run. Throws `unreadable` with what is wrong and where. */
export function readRunFile(path: string): RunFile {
  const fail = (why: string, cause?: unknown): never => {
    throw new RunnerError("unreadable", `cannot read ${path}: ${why}`, { cause });
  };
  let content: Partial<RunFile>;
  try {
    content = JSON.parse(readTextNow(path)) as Partial<RunFile>;
  } catch (cause) {
    const why = fileFault(cause);
    return fail(cause instanceof SyntaxError ? `it is not complete JSON (${why})` : why, cause);
  }
  if (typeof content !== "object" || content === null) return fail("it is not a Roundtrip run");
  const version: unknown = content.schemaVersion;
  if (typeof version !== "number") return fail("it is not a Roundtrip run");
  if (version !== schemaVersion) {
    return fail(
      `it has format ${version}, and this version reads format ${schemaVersion}: use the Roundtrip version that wrote it`,
    );
  }
  for (const name of lists) if (!Array.isArray(content[name])) return fail(`"${name}" is missing`);
  if (content.environment === undefined || content.verification === undefined) return fail("facts are missing");
  return content as RunFile;
}
