// The facts of a run in `run.json`, whose schema is schema/run.v1.schema.json, and reading a run directory: `@roundtrip/runs/read`. Loads nothing
// that writes calls.
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunFacts, Samples } from "./run-facts.ts";
import { fileFault, requireFile } from "./files.ts";
import { RunError } from "./run-error.ts";
import { countSamples, readSamples, samplesInParts } from "./samples-reader.ts";

export const runFile = "run.json";
export const samplesFile = "samples.parquet";

/** The version that is written and read. */
export const schemaVersion = 1;

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
    // Whatever was left there, such as a pipe that nothing reads.
    removeQuietly(`${path}.partial`);
    writeFileSync(`${path}.partial`, `${JSON.stringify(content, null, 1)}\n`, { flag: "wx" });
    renameSync(`${path}.partial`, path);
  } catch (cause) {
    removeQuietly(`${path}.partial`);
    throw new RunError("unwritable", `cannot write ${path}: ${fileFault(cause)}`, { cause });
  }
}

/** The facts of a run of thousands of blocks have a few MB. */
const mostFactsMiB = 256;

function factsText(path: string): string {
  requireFile(path);
  if (statSync(path).size > mostFactsMiB * 2 ** 20) {
    throw new RunError("unreadable", `it is larger than ${mostFactsMiB} MiB`);
  }
  return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
}

const lists = ["arms", "blocks", "firstCalls", "warmUps", "events"] as const;

/** Reads the facts of a run. Throws `unreadable` with what is wrong and where. */
export function readRunFile(path: string): RunFile {
  const fail = (why: string, cause?: unknown): never => {
    throw new RunError("unreadable", `cannot read ${path}: ${why}`, { cause });
  };
  let content: Partial<RunFile>;
  try {
    content = JSON.parse(factsText(path)) as Partial<RunFile>;
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

/** Whether a run may be written here: never over one with calls, under way or unreadable, but over one that measured nothing. */
export async function isFreeForRun(directory: string): Promise<boolean> {
  const [facts, samples] = [join(directory, runFile), join(directory, samplesFile)];
  if (!existsSync(facts) && !existsSync(samples)) return true;
  try {
    const { durationMs, blocks } = readRunFile(facts);
    // A run that is under way has lasted 0 ms until its first round is written.
    return durationMs > 0 && blocks.length === 0 && (await countSamples(samples)) === 0;
  } catch (thrown) {
    if (thrown instanceof RunError) return false;
    throw thrown;
  }
}

/** The facts of a run, and the path of its calls. Throws `unreadable`. */
function openRun(path: string): { readonly facts: RunFacts; readonly samples: readonly [string, readonly string[]] } {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
  if (isFile === undefined) throw new RunError("unreadable", `there is no run at ${path}`);
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
