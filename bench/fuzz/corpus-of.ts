// The recorded exchanges that fuzzing starts from: one folder per style, whatever library serves it.
import { allStacks, type KnownStack } from "@roundtrip/stacks";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const corpusFolder = join(import.meta.dirname, "corpus");

/** The styles with a corpus, in alphabetical order. */
const fuzzedStyles: readonly string[] = readdirSync(corpusFolder).toSorted();

export const fuzzedStacks: readonly KnownStack[] = allStacks().filter(({ style }) => fuzzedStyles.includes(style));

export function corpusFolderOf(style: string): string {
  return join(corpusFolder, style);
}

/** The exchanges that fuzzing of a style starts from: recorded ones, and ones that once failed. Throws for a style without a corpus. */
export function corpusOf(style: string): readonly Buffer[] {
  const cwd = corpusFolderOf(style);
  const corpus = globSync("**/*.bin", { cwd })
    .toSorted()
    .map((path) => readFileSync(join(cwd, path)));
  if (corpus.length === 0) throw new Error(`there is no corpus for ${style}`);
  return corpus;
}
