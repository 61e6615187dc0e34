// Prints how many tests passed and failed, from the result file that vitest wrote, and from a second one, where there is one, of files that ran
// again: those count as they did the second time. A test file that could not be loaded counts as one failed, and so does a missing result. Plain
// JavaScript, because it must also run where the pinned Node.js was not installed.
import { existsSync, readFileSync } from "node:fs";

function filesOf(path) {
  try {
    const { testResults } = JSON.parse(readFileSync(path, "utf8"));
    return testResults.map(({ name, status, assertionResults }) => {
      const count = (...wanted) => assertionResults.filter((test) => wanted.includes(test.status)).length;
      const isUnloaded = status === "failed" && assertionResults.length === 0;
      return [
        name,
        {
          passed: count("passed"),
          failed: isUnloaded ? 1 : count("failed"),
          skipped: count("skipped", "pending", "todo"),
        },
      ];
    });
  } catch {
    return [[path, { passed: 0, failed: 1, skipped: 0 }]];
  }
}

const [first, again] = process.argv.slice(2);
const files = new Map([...filesOf(first), ...(again !== undefined && existsSync(again) ? filesOf(again) : [])]);
const total = (what) => [...files.values()].reduce((sum, counts) => sum + counts[what], 0);
const skipped = total("skipped");
console.log(`${total("passed")} passed, ${total("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
