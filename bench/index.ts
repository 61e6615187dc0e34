// The studies and the published figures that they are held against, as their users see them.
import type { Study } from "@roundtrip/runner";
import { readdirSync } from "node:fs";
import { extname, join, parse } from "node:path";

// Source runs as .ts, a published package as .js.
const extension = extname(import.meta.filename);
const folder = join(import.meta.dirname, "studies");

/** The names of all studies, in alphabetical order. */
export function studyNames(): readonly string[] {
  return readdirSync(folder)
    .filter((file) => extname(file) === extension)
    .map((file) => parse(file).name)
    .toSorted();
}

/** Loads a study by the name that {@link studyNames} gives. */
export async function loadStudy(name: string): Promise<Study> {
  const module = (await import(new URL(`./studies/${name}${extension}`, import.meta.url).href)) as {
    readonly study: Study;
  };
  return module.study;
}

export { publishedFor, type PublishedFigures, type PublishedRow } from "./published.ts";
