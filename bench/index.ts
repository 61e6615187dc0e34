// The studies and the published figures to compare them with.
import type { Study } from "@roundtrip/runner";
import { readdirSync } from "node:fs";
import { extname, join, parse } from "node:path";
import { paperGroups } from "./published.ts";
import type { StudyOfWork } from "./study-of-work.ts";

// Source runs as .ts, a published package as .js.
const extension = extname(import.meta.filename);
const folder = join(import.meta.dirname, "studies");

/** The studies that `bench` measures without arguments. */
export const defaultStudies: readonly string[] = ["hello", "facade"];

export function studyNames(): readonly string[] {
  return readdirSync(folder)
    .filter((file) => extname(file) === extension)
    .map((file) => parse(file).name)
    .toSorted();
}

/**
 * Groups of studies, each with the names of its studies: in alphabetical order the parts before the first dash, as in `network-distance` and
 * `network-bulk`, if no study has that name; then publications, such as `paper:2010`.
 */
export function studyGroups(): ReadonlyMap<string, readonly string[]> {
  const names = studyNames();
  const members = names.filter((name) => name.includes("-"));
  const groups = Map.groupBy(members, (name) => name.slice(0, name.indexOf("-")));
  return new Map([...[...groups].filter(([group]) => !names.includes(group)), ...paperGroups()]);
}

/** What a study file exports. */
interface StudyModule {
  readonly study: Study;
  /** Absent for a study of operations of the built-in contract alone. */
  readonly ofWork?: StudyOfWork;
}

async function loadModule(name: string): Promise<StudyModule> {
  return (await import(new URL(`./studies/${name}${extension}`, import.meta.url).href)) as StudyModule;
}

export async function loadStudy(name: string): Promise<Study> {
  return (await loadModule(name)).study;
}

/** The study for tasks of any contract; undefined if it has only its own. */
export async function loadStudyOfWork(name: string): Promise<StudyOfWork | undefined> {
  return (await loadModule(name)).ofWork;
}

export { paperGroups, publishedFor } from "./published.ts";
export type { LevelName, LoadLevels, StudyOfWork, Work } from "./study-of-work.ts";
