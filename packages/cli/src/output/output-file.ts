// Files that a command writes: creates missing folders, and reports what prevents writing.
import { fileFault, makeDirectory } from "@roundtrip/runner/files";
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { statSync } from "node:fs";

/** The same for every path to one file, symbolic and hard links among them; undefined for what is not there or no file. */
function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true });
    return found.isFile() ? `${found.dev} ${found.ino}` : undefined;
  } catch {
    // Whoever reads or writes an inaccessible path reports it.
    return undefined;
  }
}

/** Throws a usage error when one of the outputs is one of the inputs. */
export function requireNoInput(outputs: readonly string[], inputs: readonly string[]): void {
  const read = new Set(inputs.map(identityOf).filter((identity) => identity !== undefined));
  const clash = outputs.find((path) => read.has(identityOf(path) ?? ""));
  if (clash === undefined) return;
  throw new CliError("usage", `${clash} would be written over, and this command reads it; choose another place`);
}

/** Writes a file and makes the directory that it is in. Rejects with a CliError `unavailable`. */
export async function writeOutput(path: string, text: string): Promise<void> {
  try {
    makeDirectory(dirname(path));
    await writeFile(path, text);
  } catch (cause) {
    throw new CliError("unavailable", `cannot write ${path}: ${fileFault(cause)}`, { cause });
  }
}
