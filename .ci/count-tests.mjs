// Prints how many tests passed and failed, from the result file that vitest wrote. A test file that could not be loaded counts as
// one failed, and so does a missing result. Plain JavaScript, because it must also run where the pinned Node.js was not installed.
import { readFileSync } from "node:fs";

function counts(path) {
  try {
    const result = JSON.parse(readFileSync(path, "utf8"));
    const unloaded = result.testResults.filter(
      ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
    ).length;
    return { passed: result.numPassedTests, failed: result.numFailedTests + unloaded, skipped: result.numPendingTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const { passed, failed, skipped } = counts(process.argv[2]);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
