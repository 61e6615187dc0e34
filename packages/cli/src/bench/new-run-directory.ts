// Where a run goes unless the user says otherwise: a directory of its own, named so that runs sort in the order in which they began.
import { CliError } from "../basics/cli-error.ts";
import { isFreeForRun } from "@roundtrip/runner";
import { fileFault, makeDirectory } from "@roundtrip/runner/files";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const mostInOneSecond = 99;

/** `2026-01-31T12-00-00`, then `2026-01-31T12-00-00-02`. */
function nameOf(at: Date, attempt: number): string {
  const second = at.toISOString().slice(0, 19).replaceAll(":", "-");
  return attempt === 1 ? second : `${second}-${String(attempt).padStart(2, "0")}`;
}

/**
 * Makes a directory that nobody else has: making it is what claims it, however many runs begin in the same second. Throws a CliError
 * `unavailable`.
 */
export function newRunDirectory(parent: string, at: Date): string {
  try {
    makeDirectory(parent);
    for (let attempt = 1; attempt < mostInOneSecond; attempt += 1) {
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

/** Rejects with a usage error for a directory that has a run already. */
export async function requireFreeDirectory(directory: string | undefined): Promise<void> {
  if (directory === undefined || (await isFreeForRun(directory))) return;
  throw new CliError("usage", `${directory} holds a run already; choose another --out, or remove it`);
}
