// The recorded exchanges that fuzzing starts from: a folder for each style, whatever library serves it.
import { allStacks, type KnownStack } from "@roundtrip/stacks";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const corpusFolder = join(import.meta.dirname, "corpus");

/** The styles that have a corpus, in alphabetical order. */
export const fuzzedStyles: readonly string[] = readdirSync(corpusFolder).toSorted();

/** The stacks of these styles. */
export const fuzzedStacks: readonly KnownStack[] = allStacks().filter(({ style }) => fuzzedStyles.includes(style));

/** Where the exchanges of a style are kept. */
export function corpusFolderOf(style: string): string {
  return join(corpusFolder, style);
}

/** What a style's fuzzing starts from: exchanges that were recorded, and those that once failed. Throws for a style without. */
export function corpusOf(style: string): readonly Buffer[] {
  const cwd = corpusFolderOf(style);
  const corpus = globSync("**/*.bin", { cwd })
    .toSorted()
    .map((path) => readFileSync(join(cwd, path)));
  if (corpus.length === 0) throw new Error(`there is no corpus for ${style}`);
  return corpus;
}
