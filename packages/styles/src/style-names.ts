// Finds styles by looking at the folders beside this file: a new style is a new folder, and nothing here changes. Help and shell completion load this alone,
// as `@roundtrip/styles/names`.
import { existsSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";

/** Source runs as .ts, a published package as .js. */
export const extension = extname(import.meta.filename);

/** Whether a style's folder has a file. */
export function hasPart(name: string, file: string): boolean {
  return existsSync(join(import.meta.dirname, name, `${file}${extension}`));
}

/** The names of all styles, in alphabetical order. */
export function styleNames(): readonly string[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && hasPart(entry.name, "index"))
    .map((entry) => entry.name)
    .toSorted();
}

/** The names of the styles that judge contract changes, in alphabetical order. Loads none of them. */
export function judgingStyleNames(): readonly string[] {
  return styleNames().filter((name) => hasPart(name, "breaking-changes"));
}
