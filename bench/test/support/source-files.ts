// The project's own TypeScript as a parser sees it. Each file is parsed once for all tests of a run.
import { hash, randomUUID } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, type FileFacts } from "./file-facts.ts";

/** The project's root, which every path here is relative to. */
export const projectRoot = join(import.meta.dirname, "..", "..", "..");

export interface SourceFile extends FileFacts {
  /** From the project's root, with forward slashes. */
  readonly path: string;
}

/** Facts that this or another process of these tests found already. */
const kept = join(tmpdir(), "source-facts");

/** How many sources have their facts in one kept file: many small files are slow to write. */
const together = 32;

function read(paths: readonly string[]): readonly SourceFile[] {
  const sources = paths.map((path) => ({ path, text: readFileSync(join(projectRoot, path), "utf8") }));
  const place = join(kept, hash("sha256", JSON.stringify(sources)));
  if (existsSync(place)) return JSON.parse(readFileSync(place, "utf8")) as SourceFile[];
  const files = sources.map(({ path, text }) => ({ path, ...factsOf(path, text) }));
  // Other processes see the whole file or none.
  const unfinished = `${place}-${randomUUID()}`;
  writeFileSync(unfinished, JSON.stringify(files));
  renameSync(unfinished, place);
  return files;
}

const isForeign = (path: string): boolean => /(^|[\\/])(gen|node_modules|dist)$/.test(path);

let known: readonly SourceFile[] | undefined;

/** Every TypeScript file that is written by hand: sources, studies, tests and checks. */
export function sourceFiles(): readonly SourceFile[] {
  if (known !== undefined) return known;
  mkdirSync(kept, { recursive: true });
  const patterns = ["packages/*/{src,test}/**/*.ts", "bench/**/*.ts", ".ci/**/*.ts", "*.ts"];
  const paths = globSync(patterns, { cwd: projectRoot, exclude: isForeign })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted();
  // Processes that start together share the work, because each goes through the files in a random order.
  known = Array.from({ length: Math.ceil(paths.length / together) }, (_, part) => ({ part, turn: Math.random() }))
    .toSorted((one, other) => one.turn - other.turn)
    .flatMap(({ part }) => read(paths.slice(part * together, (part + 1) * together)))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return known;
}
