// The order of test files while a file is changed: those first that are named like it, then those that take least.
import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The environment variable that names the changed file. */
export const changedFileVariable = "ROUNDTRIP_MUTANTS_FILE";

/** Words of a file's name that tell what it is about. */
function wordsOf(path: string): readonly string[] {
  return basename(path)
    .split(/[.-]/)
    .filter((word) => word.length > 2 && word !== "test");
}

/** How many words the names of a test and of a source file share. */
function likeness(test: string, source: string): number {
  const words = wordsOf(source);
  return wordsOf(test).filter((word) => words.includes(word)).length;
}

export class LikeliestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const source = process.env[changedFileVariable] ?? "";
    const costOf = (file: TestSpecification): number => {
      // Vitest keeps how long each file took when all tests ran before the first change.
      const { duration = 0 } = this.ctx.cache.getTestSpecificationResult(file) ?? {};
      return duration / (1 + 10 * likeness(file.moduleId, source));
    };
    return Promise.resolve(files.toSorted((one, other) => costOf(one) - costOf(other)));
  }
}
