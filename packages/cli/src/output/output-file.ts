// Files that a command writes: creates missing folders, and reports what prevents writing.
import { fileFault, makeDirectory } from "@roundtrip/runner/files";
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CliError } from "../basics/cli-error.ts";

/** Writes a file and makes the directory that it is in. Rejects with a CliError `unavailable`. */
export async function writeOutput(path: string, text: string): Promise<void> {
  try {
    makeDirectory(dirname(path));
    await writeFile(path, text);
  } catch (cause) {
    throw new CliError("unavailable", `cannot write ${path}: ${fileFault(cause)}`, { cause });
  }
}
