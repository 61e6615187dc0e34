// What tests draw at random is drawn anew for each commit, and the same each time it is tested: a failure that nobody can repeat helps nobody.
import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";

/** A whole number from 0 to 2²⁸ − 1: of the commit, or always the same where git knows none, as in a downloaded archive. */
export function commitSeed(): number {
  try {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return Number.parseInt(commit.slice(0, 7), 16);
  } catch {
    return 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(commitSeed());
