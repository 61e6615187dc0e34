// Finds the tests that probably notice a change of a file: those with a similar name, those that import it over few steps, and the quick ones first.
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The words of a file name that describe its content. */
function wordsOf(path: string): readonly string[] {
  return basename(path)
    .split(/[.-]/)
    .filter((word) => word.length > 2 && word !== "test");
}

function likeness(one: string, other: string): number {
  const words = wordsOf(other);
  return wordsOf(one).filter((word) => words.includes(word)).length;
}

/** The files that a file imports or starts as a process. */
function namedBy(root: string, path: string): readonly string[] {
  const names = readFileSync(join(root, path), "utf8").matchAll(/"(\.{1,2}\/[^"\n]+\.ts)"/g);
  return [...names].map(([, name]) => join(dirname(path), name as string));
}

/** The number of import steps from each file of a package to this one. */
function distancesTo(root: string, folder: string, path: string): ReadonlyMap<string, number> {
  const files = globSync(`${folder}/{src,test}/**/*.ts`, { cwd: root });
  const naming = files.map((file) => ({ file, named: namedBy(root, file) }));
  const steps = new Map([[path, 0]]);
  // Iterating a map also visits entries that are added meanwhile.
  for (const [reached, count] of steps) {
    for (const { file, named } of naming) if (!steps.has(file) && named.includes(reached)) steps.set(file, count + 1);
  }
  return steps;
}

/** Test files, in the order of the expected time until one notices the change. @param durationsMs of each test file, by its path from the root */
export function nearestFirst(
  root: string,
  folder: string,
  path: string,
  durationsMs: ReadonlyMap<string, number>,
): readonly string[] {
  const steps = distancesTo(root, folder, path);
  const costOf = (test: string, durationMs: number): number =>
    // Adds 100 ms for loading. Some files are discovered in folders, and no file names them.
    ((100 + durationMs) * 3 ** (steps.get(test) ?? 9)) / (1 + 10 * likeness(test, path));
  return [...durationsMs]
    .map(([test, durationMs]) => ({ test, cost: costOf(test, durationMs) }))
    .toSorted((one, other) => one.cost - other.cost)
    .map(({ test }) => test);
}
