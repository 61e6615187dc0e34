// The order of test files: those that start programs first, because that gets slower as a worker's memory grows; among equals the longest first.
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Prefixes of long test files, the longest first; all others are short. */
const long = [
  "packages/cli/test/bench",
  "packages/cli/test/t",
  "packages/cli/test/fake",
  "packages/stacks/test/leftovers",
  "packages/stacks/test/conformance",
  "packages/runner/",
  "packages/k6/",
  "packages/cli/",
  "bench/",
  "packages/stacks/",
];

function rank(path: string): number {
  const place = long.findIndex((beginning) => path.startsWith(beginning));
  return place === -1 ? long.length : place;
}

export class LongestFirst extends BaseSequencer {
  /** Within a rank, keeps the base sequencer's order: files that failed or took long before, if known, else larger ones. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line no-array-sort -- not the method of an array
    const usual = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification): number =>
      rank(relative(this.ctx.config.root, moduleId).replaceAll("\\", "/"));
    return usual.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
