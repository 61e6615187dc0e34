// What failed in a result file that vitest wrote: its files, a line each; with --words its tests and the first line of what they said.
// Plain JavaScript, as the count of tests is.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const [path, words] = process.argv.slice(2);
const { testResults } = JSON.parse(readFileSync(path, "utf8"));

for (const { name, status, message, assertionResults } of testResults) {
  if (status !== "failed") continue;
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (words === undefined) console.log(file);
  else if (failed.length === 0) console.log(`${file}: ${message.split("\n", 1)[0]}`);
  for (const { fullName, failureMessages } of words === undefined ? [] : failed) {
    console.log(`${file}: ${fullName}: ${String(failureMessages[0]).split("\n", 1)[0]}`);
  }
}
