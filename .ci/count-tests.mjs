// Prints which tests failed, and how many passed and failed, from the result files that vitest wrote. A test file that could not be loaded counts as one
// failed, and so does a missing result. Plain JavaScript, because it must also run where the pinned Node.js was not installed.
import { readFileSync } from "node:fs";

function printFailure(name, message = "") {
  console.log(`failed test: ${name}: ${message.split("\n", 1)[0]}`);
}

function countsOf(path) {
  try {
    const { testResults } = JSON.parse(readFileSync(path, "utf8"));
    return testResults.map(({ name, status, message, assertionResults }) => {
      const count = (...wanted) => assertionResults.filter((test) => wanted.includes(test.status)).length;
      const isUnloaded = status === "failed" && assertionResults.length === 0;
      if (isUnloaded) printFailure(name, message);
      for (const test of assertionResults)
        if (test.status === "failed") printFailure(`${name}: ${test.fullName}`, test.failureMessages[0]);
      return {
        passed: count("passed"),
        failed: isUnloaded ? 1 : count("failed"),
        skipped: count("skipped", "pending", "todo"),
      };
    });
  } catch {
    return [{ passed: 0, failed: 1, skipped: 0 }];
  }
}

const files = process.argv.slice(2).flatMap(countsOf);
const total = (what) => files.reduce((sum, counts) => sum + counts[what], 0);
const skipped = total("skipped");
console.log(`${total("passed")} passed, ${total("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
