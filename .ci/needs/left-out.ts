// Prints at the end of a test run which tests were left out, and what to install. Runs when Vitest closes, below any reporter's summary.
import type { TestModule, TestProject } from "vitest/node";

/** A line for each reason, in order of first occurrence; empty if no test was left out. */
function leftOutLines(modules: readonly TestModule[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const module of modules) {
    for (const test of module.children.allTests("skipped")) {
      const why = test.meta().leftOut;
      if (why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1);
    }
  }
  return [...counts].map(([why, count]) => `left out: ${count} ${count === 1 ? why.replace(/^tests/, "test") : why}`);
}

/** Vitest calls this for each project; the lines of the run are printed once. */
let isPrinted = false;

export function setup({ vitest }: TestProject): () => void {
  return () => {
    if (isPrinted) return;
    isPrinted = true;
    const lines = leftOutLines(vitest.state.getTestModules());
    // On standard error, because a reporter may write a document to standard output.
    if (lines.length > 0) process.stderr.write(`\n${lines.join("\n")}\n`);
  };
}
