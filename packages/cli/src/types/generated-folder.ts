// A folder of generated files: finds and applies its differences from newly generated ones.
import { existsSync, globSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { CliError } from "../basics/cli-error.ts";
import { fileLimitsMiB, readInput } from "../basics/read-input.ts";
import { writeOutput } from "../output/output-file.ts";
import type { GeneratedFile } from "./run-generator.ts";
import { generatedMark } from "./generate-types.ts";

/** The differences between a folder and its newly generated files. Paths include the folder. */
export interface FolderDrift {
  readonly changed: readonly GeneratedFile[];
  /** Generated files that would no longer be generated. */
  readonly stale: readonly string[];
}

function textAt(path: string): string | undefined {
  return existsSync(path) ? readInput({ path, mostMiB: fileLimitsMiB.generatedTypes }) : undefined;
}

function isGenerated(text: string): boolean {
  return text.split("\n").some((line) => line.startsWith(generatedMark));
}

/** Throws a CliError for a file outside the folder: descriptor sets may come from an attacker. */
function requireInside(directory: string, { name }: GeneratedFile): void {
  const root = resolve(directory);
  if (resolve(directory, name).startsWith(root.endsWith(sep) ? root : root + sep)) return;
  throw new CliError("usage", `the contract has a file whose types would lie outside of ${directory}: ${name}`);
}

/** Rejects with a CliError if a generated file would replace one of the user's. */
export async function driftOf(directory: string, files: readonly GeneratedFile[]): Promise<FolderDrift> {
  for (const file of files) requireInside(directory, file);
  const current = files.map(({ name }) => textAt(join(directory, name)));
  const foreign = files.find((_, index) => {
    const text = current[index];
    return text !== undefined && !isGenerated(text);
  });
  if (foreign !== undefined) {
    const path = join(directory, foreign.name);
    throw new CliError("usage", `${path} is in the way, and was not generated; choose another --out`);
  }
  const names = new Set(files.map(({ name }) => name));
  const others = globSync("**/{*_pb,index}.{ts,js}", { cwd: directory, exclude: ["**/node_modules/**"] })
    .map((path) => relative(directory, join(directory, path)).replaceAll(sep, "/"))
    .filter((name) => !names.has(name));
  const texts = others.map((name) => textAt(join(directory, name)));
  return {
    changed: files.filter(({ text }, index) => text !== current[index]),
    stale: others.filter((_, index) => isGenerated(texts[index] ?? "")).toSorted(),
  };
}

export async function bringUpToDate(directory: string, { changed, stale }: FolderDrift): Promise<void> {
  for (const { name, text } of changed) {
    // oxlint-disable-next-line no-await-in-loop -- a contract may have hundreds of files
    await writeOutput(join(directory, name), text);
  }
  await Promise.all(stale.map((name) => rm(join(directory, name), { force: true })));
}
