// The default run directory, named so that directories sort by start time.
import { CliError } from "../basics/cli-error.ts";
import { isFreeForRun } from "@roundtrip/runs/read";
import { fileFault, makeDirectory } from "@roundtrip/runs/files";
import { mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const mostInOneSecond = 99;

/** In UTC: `2026-01-31T12-00-00`, then `2026-01-31T12-00-00-02`. */
function nameOf(at: Date, attempt: number): string {
  const second = at.toISOString().slice(0, 19).replaceAll(":", "-");
  return attempt === 1 ? second : `${second}-${String(attempt).padStart(2, "0")}`;
}

/** Creates a directory. Creating it claims it, so that runs of the same second get different ones. Throws a CliError `unavailable`. */
export function newRunDirectory(parent: string, at: Date): string {
  try {
    makeDirectory(parent);
    for (let attempt = 1; attempt <= mostInOneSecond; attempt += 1) {
      const directory = join(parent, nameOf(at, attempt));
      if (isMade(directory)) return directory;
    }
  } catch (cause) {
    throw new CliError(
      "unavailable",
      `cannot write to ${parent}: ${fileFault(cause)}; name another directory with --out`,
      { cause },
    );
  }
  throw new CliError("unavailable", `${mostInOneSecond} runs in ${parent} began in the same second`);
}

function isMade(directory: string): boolean {
  try {
    mkdirSync(directory);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw thrown;
  }
}

/** Removes the directory of a run that ended before it wrote anything, and its parent; keeps what is not empty. */
export function removeUnused(directory: string): void {
  try {
    rmdirSync(directory);
    rmdirSync(dirname(directory));
  } catch {
    // Something is in it.
  }
}

/** Removes the directory of a run that was interrupted before its first call, and its parent if nothing else is in it. */
export function removeWithoutCalls(directory: string): void {
  try {
    for (const name of readdirSync(directory)) rmSync(join(directory, name));
  } catch {
    // It stays.
  }
  removeUnused(directory);
}

/** Rejects with a usage error for a directory that holds a run with calls, is being written, or cannot be read. */
export async function requireFreeDirectory(directory: string | undefined): Promise<void> {
  if (directory === undefined || (await isFreeForRun(directory))) return;
  throw new CliError("usage", `${directory} holds a run already; choose another --out, or remove it`);
}
