// Writes output files: creates missing folders, and reports errors.
import { fileFault, makeDirectory, writeWholeFile } from "@roundtrip/runs/files";
import { dirname } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { unbroken } from "../basics/interruption.ts";
import { withoutSteering } from "./terminal.ts";
import { existsSync, statSync } from "node:fs";

const url = /([a-z][a-z\d+.-]*:\/\/)(?:[^\s/?#]*@)?([^\s?#,"']*)(?:[?#][^\s,"']*)?/gi;

/** The command without what addresses may have of secrets: user name, password, query and fragment. */
export function typedCommand(argv: readonly string[]): string {
  const words = argv.slice(2).map((word) => word.replaceAll(url, "$1$2"));
  return `roundtrip ${words.join(" ")}`;
}

/** Identifies a file by any path, including symbolic and hard links; undefined if there is no file. */
function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true });
    return found.isFile() ? `${found.dev} ${found.ino}` : undefined;
  } catch {
    // Reading or writing an inaccessible path reports the error.
    return undefined;
  }
}

/** Throws a usage error if an output is also an input. */
export function requireNoInput(outputs: readonly string[], inputs: readonly string[]): void {
  const read = new Set(inputs.map(identityOf).filter((identity) => identity !== undefined));
  const clash = outputs.find((path) => read.has(identityOf(path) ?? ""));
  if (clash === undefined) return;
  throw new CliError("usage", `${clash} would be overwritten, and this command reads it; choose another path`);
}

/** Throws a usage error if an output exists: people change these files. */
export function requireNewFiles(outputs: readonly string[]): void {
  const taken = outputs.find((path) => existsSync(path));
  if (taken === undefined) return;
  throw new CliError("usage", `${taken} exists already: remove it, or give another --out`);
}

/** Writes a document that people may read on a terminal. Rejects like {@link writeOutput}. */
export function writeDocument(path: string, text: string): Promise<void> {
  return writeOutput(path, withoutSteering(text));
}

/** Writes a file and creates its directory. Rejects with a CliError `unavailable`. */
export async function writeOutput(path: string, text: string): Promise<void> {
  try {
    makeDirectory(dirname(path));
    await unbroken(() => writeWholeFile(path, text));
  } catch (cause) {
    throw new CliError("unavailable", `cannot write ${path}: ${fileFault(cause)}`, { cause });
  }
}
