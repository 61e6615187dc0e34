// Files that git and Node.js find themselves, in a folder or above it. They would wait for ever for the writer of a pipe, and a device has no end.
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileLimitsMiB, readInput, requireInput } from "./read-input.ts";

/** The path of the nearest thing of this name; undefined if there is none. */
function nearest(folder: string, name: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, name);
    if (existsSync(path)) return path;
    if (dirname(at) === at) return undefined;
  }
}

/** Others are read by whoever finds them, or refused: a folder, and the socket of git's own watcher. */
function requireEnd(path: string): void {
  const stats = statSync(path);
  if (stats.isFIFO() || stats.isCharacterDevice()) requireInput({ path });
}

/** Throws a usage error for what git would not read to the end: the nearest `.git`, and what lies in it. */
export function requireReadableRepository(folder: string): void {
  const path = nearest(folder, ".git");
  if (path === undefined) return;
  requireEnd(path);
  // In further work trees, it is a file.
  if (!statSync(path).isDirectory()) return;
  const paths = readdirSync(path).map((name) => join(path, name));
  for (const inside of paths.filter((name) => existsSync(name))) requireEnd(inside);
}

const relativeImport = /\b(?:from|import)[\s(]*["'](\.[^"'\n]+)["']/g;

/** Throws a usage error for what Node.js would not read to the end when it imports this file: the nearest package, and what the file itself imports. */
export function requireReadableImports(path: string): void {
  const folder = dirname(path);
  const imports = readInput({ path, mostMiB: fileLimitsMiB.configuration }).matchAll(relativeImport);
  const paths = [...imports].map(([, name = ""]) => resolve(folder, name));
  for (const found of [nearest(folder, "package.json") ?? path, ...paths.filter((name) => existsSync(name))]) {
    requireEnd(found);
  }
}
