// The same files at a short and at a long path, for versions that differ only in their path.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@roundtrip/runner/lifetime";
import { projectRoot } from "./run-compare.ts";

export interface CopyPaths extends Disposable {
  readonly short: string;
  readonly long: string;
}

/** Folder names of 49 characters and a slash each. */
const longer = Array.from({ length: 3 }, () => "a-folder-whose-name-is-as-long-as-names-seldom-are".slice(1));

const unused = new Set([".git", "runs", "coverage"]);

function copyInto(folder: string, from: string, flags: readonly string[]): void {
  const entries = readdirSync(from).filter((name) => !unused.has(name));
  execFileSync("cp", ["-a", ...flags, "--", ...entries.map((name) => join(from, name)), folder]);
}

/** Copies the files and their dependencies; those at the long path are links to those at the short one. */
export function copiesAtTwoPaths(): CopyPaths {
  const folder = temporaryFolder("copies");
  const short = join(folder.path, "a");
  const long = join(folder.path, ...longer, "b");
  mkdirSync(short);
  mkdirSync(long, { recursive: true });
  copyInto(short, projectRoot, []);
  copyInto(long, short, ["--link"]);
  return { short, long, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
